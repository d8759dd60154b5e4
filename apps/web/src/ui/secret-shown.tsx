import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { useCopy } from '../lib/copy-text.ts'
import { useTexts } from '../lib/texts.tsx'
import { Button, IconButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { TextField } from './text-field.tsx'
import styles from './secret-shown.module.css'

export interface SecretShownProps {
  readonly title: string
  /** That it is never shown again. */
  readonly text: string
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
}

/** A secret, this once. A click beside the dialog does not close it. */
export function SecretShown({ title, text, label, secret, onClose }: SecretShownProps) {
  const texts = useTexts()
  const copy = useCopy()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      title={title}
      closeLabel={texts('common.close')}
      onClose={onClose}
      isKeptOpen
      initialFocus={field}
      foot={
        <Button kind="solid" onClick={onClose}>
          {texts('common.done')}
        </Button>
      }
    >
      <div className={styles['shown']}>
        <Notice kind="warning">{text}</Notice>
        <TextField
          ref={field}
          label={label}
          value={secret}
          readOnly
          translate="no"
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          data-testid="secret"
          end={
            <IconButton
              label={texts('common.copy')}
              icon={<Copy size={18} aria-hidden="true" />}
              onClick={() => void copy(secret, { shown: field.current })}
            />
          }
        />
      </div>
    </Dialog>
  )
}
