import { Copy, Download } from 'lucide-react'
import { useRef } from 'react'
import { useCopy } from '../../../../lib/copy-text.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import styles from './security.module.css'

export interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** The codes, this once: to copy, to keep as a file, or to write down. A click beside the dialog does not close it. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const texts = useTexts()
  const copy = useCopy()
  const list = useRef<HTMLUListElement>(null)
  const copyButton = useRef<HTMLButtonElement>(null)
  const text = codes.join('\n')
  return (
    <Dialog
      title={texts('security.factor.codes.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      isKeptOpen
      initialFocus={copyButton}
      foot={
        <div className={styles['foot']} style={{ flex: 1 }}>
          <Button ref={copyButton} onClick={() => void copy(text, { shown: list.current })}>
            <Copy size={18} aria-hidden="true" />
            {texts('common.copy')}
          </Button>
          <Button
            onClick={() =>
              saveFile(texts('security.factor.codes.file'), new Blob([`${text}\n`], { type: 'text/plain' }))
            }
          >
            <Download size={18} aria-hidden="true" />
            {texts('common.download')}
          </Button>
          <Button kind="solid" onClick={onClose}>
            {texts('common.done')}
          </Button>
        </div>
      }
    >
      <p className={styles['text']}>{texts('security.factor.codes.text')}</p>
      <ul className={styles['codes']} ref={list} data-testid="recovery-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
