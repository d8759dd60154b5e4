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
  /** What the owner asks for and is not there yet. */
  readonly missing: readonly string[]
  /** There is no thank-you before all of it is there. */
  readonly insists: boolean
  readonly onMore: () => void
}

/** Says thank you, and what arrived when, once nothing is left to send. */
export function Receipt({ view, account, missing, insists, onMore }: ReceiptProps) {
  const texts = useTexts()
  const { clock } = useServices()
  const { totals, isActive, isPaused } = view
  const isSent = !isActive && !isPaused && totals.completed > 0
  const isDone = isSent && !(insists && missing.length > 0)
  const [at, setAt] = useState(0)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isDone) return
    setAt(clock.now())
    title.current?.focus()
  }, [isDone, clock])
  if (isSent && !isDone)
    return (
      <p className={styles['still']} role="status" data-testid="still-missing">
        {texts('share.request.still', { names: missing.join(', ') })}
      </p>
    )
  if (!isDone) return null
  return (
    <section className={styles['receipt']} aria-labelledby="receipt-title" data-testid="receipt">
      <CircleCheck size={32} aria-hidden="true" />
      <div className={styles['words']}>
        <h2 id="receipt-title" ref={title} tabIndex={-1}>
          {texts(missing.length === 0 ? 'share.receipt.title' : 'share.receipt.title-part')}
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
