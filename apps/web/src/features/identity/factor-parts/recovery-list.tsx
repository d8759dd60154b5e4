import { Copy, Download } from 'lucide-react'
import type { Ref, RefObject } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './factor-parts.module.css'

export interface RecoveryListProps {
  readonly codes: readonly string[]
  readonly list: RefObject<HTMLUListElement | null>
}

/** The codes, this once. */
export function RecoveryList({ codes, list }: RecoveryListProps) {
  const texts = useTexts()
  return (
    <>
      <p className={styles['text']}>{texts('security.factor.codes.text')}</p>
      <ul className={styles['codes']} ref={list} data-testid="recovery-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  )
}

export interface RecoveryButtonsProps extends RecoveryListProps {
  readonly doneLabel: string
  readonly onDone: () => void
  readonly copyButton?: Ref<HTMLButtonElement>
}

/** To copy them, or to keep them as a file. */
export function RecoveryButtons({ codes, list, doneLabel, onDone, copyButton }: RecoveryButtonsProps) {
  const texts = useTexts()
  const copy = useCopy()
  const text = codes.join('\n')
  return (
    <div className={styles['foot']}>
      <Button
        {...(copyButton === undefined ? {} : { ref: copyButton })}
        onClick={() => void copy(text, { shown: list.current })}
      >
        <Copy size={18} aria-hidden="true" />
        {texts('common.copy')}
      </Button>
      <Button
        onClick={() => saveFile(texts('security.factor.codes.file'), new Blob([`${text}\n`], { type: 'text/plain' }))}
      >
        <Download size={18} aria-hidden="true" />
        {texts('common.download')}
      </Button>
      <Button kind="solid" onClick={onDone}>
        {doneLabel}
      </Button>
    </div>
  )
}
