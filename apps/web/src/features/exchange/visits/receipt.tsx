import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import type { UploadsView } from '../../content/uploads/index.ts'
import styles from './visits.module.css'

export interface ReceiptProps {
  readonly view: UploadsView
  readonly account: string
  readonly onMore: () => void
}

/** Says thank you, and what arrived when, once nothing is left to send. */
export function Receipt({ view, account, onMore }: ReceiptProps) {
  const texts = useTexts()
  const { clock } = useServices()
  const { totals, isActive, isPaused } = view
  const isDone = !isActive && !isPaused && totals.completed > 0
  const [at, setAt] = useState(0)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isDone) return
    setAt(clock.now())
    title.current?.focus()
  }, [isDone, clock])
  if (!isDone) return null
  return (
    <section className={styles['receipt']} aria-labelledby="receipt-title" data-testid="receipt">
      <CircleCheck size={32} aria-hidden="true" />
      <div className={styles['words']}>
        <h2 id="receipt-title" ref={title} tabIndex={-1}>
          {texts('share.receipt.title')}
        </h2>
        <p>{texts('share.receipt.text', { count: totals.completed, account })}</p>
        <p className={styles['note']}>
          {`${formatSize(totals.sent, texts.locale)} · ${formatTime(Math.floor(at / 1000))}`}
        </p>
        {totals.failed > 0 && (
          <p className={styles['bad']}>{texts('uploads.summary.failed', { count: totals.failed })}</p>
        )}
      </div>
      <Button onClick={onMore}>{texts('share.receipt.more')}</Button>
    </section>
  )
}
