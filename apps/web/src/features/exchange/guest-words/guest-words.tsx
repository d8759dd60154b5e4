import type { GuestEntry } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './guest-words.module.css'

/** What a guest said of themselves. */
export function GuestWords({ guest }: { readonly guest: GuestEntry }) {
  const texts = useTexts()
  return (
    <dl className={styles['guest']} translate="no">
      {guest.map(({ kind, label, value }) => {
        const shown = kind === 'text' || kind === 'choice' ? label : texts(`links.ask.${kind}`)
        return (
          <div key={`${kind} ${label}`}>
            <dt>{shown}</dt>
            <dd>{value}</dd>
          </div>
        )
      })}
    </dl>
  )
}
