import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './hooks.module.css'

/** The secret, this once. A click beside the dialog does not close it. */
export function SecretShown({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const texts = useTexts()
  const copy = useCopy()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      title={texts('hooks.secret')}
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
        <Notice kind="warning">{texts('hooks.secret.once')}</Notice>
        <TextField
          ref={field}
          label={texts('hooks.secret')}
          value={secret}
          readOnly
          translate="no"
          spellCheck={false}
          onFocus={(event) => event.target.select()}
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
