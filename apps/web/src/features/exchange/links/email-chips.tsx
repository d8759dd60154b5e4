import { isEmail } from '@godwit/contract/field-rules'
import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { addressesIn } from './addresses-of.ts'
import { EmailImport } from './email-import.tsx'
import styles from './link-fields.module.css'

/** Longer ones are cut with an ellipsis; the whole address stands in the tooltip. */
const SHOWN_MAX = 30

export interface EmailChipsProps {
  readonly label: string
  readonly hint: string
  readonly emails: readonly string[]
  readonly error: string | undefined
  readonly onChange: (emails: readonly string[]) => void
}

/** Addresses one by one, a pasted list, or those in a file. What is no address stays marked until it is removed. */
export function EmailChips({ label, hint, emails, error, onChange }: EmailChipsProps) {
  const texts = useTexts()
  const id = useId()
  const [typed, setTyped] = useState('')
  const add = (found: readonly string[]): void => onChange([...new Set([...emails, ...found])])
  const take = (text: string): void => {
    add(addressesIn(text))
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (['Enter', ',', ';', ' '].includes(event.key) && typed.trim() !== '') {
      event.preventDefault()
      take(typed)
    } else if (event.key === 'Backspace' && typed === '') onChange(emails.slice(0, -1))
  }
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    if (addressesIn(text)[0] === text.trim()) return
    event.preventDefault()
    take(typed + text)
  }
  const bad = emails.filter((email) => !isEmail(email))
  return (
    <div className={styles['emails']}>
      <TextField
        name="emails"
        label={label}
        hint={hint}
        error={bad.length > 0 ? texts('links.email-invalid') : error}
        value={typed}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100_000}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => typed.trim() !== '' && take(typed)}
      />
      <EmailImport onFound={add} />
      {emails.length > 0 && (
        <ul className={styles['chips']} aria-label={texts('links.recipients')} id={`${id}-chips`}>
          {emails.map((email) => (
            <li key={email} className={classNames(styles['chip'], !isEmail(email) && styles['bad'])}>
              <span title={email} translate="no">
                {email.length < SHOWN_MAX ? email : `${email.slice(0, SHOWN_MAX - 1)}…`}
              </span>
              <button
                type="button"
                aria-label={texts('links.email-remove', { email })}
                onClick={() => onChange(emails.filter((each) => each !== email))}
              >
                <X size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
