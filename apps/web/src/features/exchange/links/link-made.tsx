import { CircleCheck, Copy } from 'lucide-react'
import { useRef } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import styles from './link-detail.module.css'
import shared from './links.module.css'

export interface LinkMadeProps {
  readonly address: string
  /** Whom the person mails it to. */
  readonly recipients: readonly string[]
  /** '' without one. */
  readonly password: string
  /** Whether the browser let it onto the clipboard. */
  readonly isCopied: boolean
  readonly isInvite: boolean
  readonly onClose: () => void
}

/** The new link, already on the clipboard where the browser allows it, and as a code for a phone. */
export function LinkMade({ address, recipients, password, isCopied, isInvite, onClose }: LinkMadeProps) {
  const texts = useTexts()
  const copy = useCopy()
  const button = useRef<HTMLButtonElement>(null)
  const both = texts('links.both', { address, password })
  return (
    <Dialog
      title={texts(isInvite ? 'links.made.invite' : 'links.made.share')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      initialFocus={button}
      isKeptOpen
      foot={
        <Button kind="solid" ref={button} onClick={onClose}>
          {texts('links.done')}
        </Button>
      }
    >
      <div className={styles['made']} data-testid="link-made">
        {isCopied && (
          <p className={styles['good']}>
            <CircleCheck size={18} aria-hidden="true" />
            {texts('links.copied')}
          </p>
        )}
        <output className={styles['address']} translate="no" data-testid="link-address">
          {address}
        </output>
        {password !== '' && (
          <p>
            {texts('links.password')}{' '}
            <code className={styles['code']} translate="no" data-testid="link-password">
              {password}
            </code>
          </p>
        )}
        <div className={shared['buttons']}>
          <Button onClick={() => void copy(address, { message: texts('links.copied') })}>
            <Copy size={16} aria-hidden="true" />
            {texts('links.copy-link')}
          </Button>
          {password !== '' && (
            <Button onClick={() => void copy(both, { message: texts('links.copied-both') })}>
              <Copy size={16} aria-hidden="true" />
              {texts('links.copy-both')}
            </Button>
          )}
        </div>
        {recipients.length > 0 && (
          <p>
            <a href={mailAddress(recipients, address)}>{texts('links.write-mail', { count: recipients.length })}</a>
          </p>
        )}
        <div className={styles['qr']}>
          <QrCode text={address} label={texts('links.qr')} />
          <p className={shared['note']}>{texts('links.qr-note')}</p>
        </div>
      </div>
    </Dialog>
  )
}

/** Opens the mail program of the person, with the link as the text. */
function mailAddress(recipients: readonly string[], address: string): string {
  return `mailto:${recipients.map(encodeURIComponent).join(',')}?body=${encodeURIComponent(address)}`
}
