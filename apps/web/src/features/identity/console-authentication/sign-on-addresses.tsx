import { Copy } from 'lucide-react'
import { useCopy } from '../../../lib/copy-text.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import type { ProviderForm } from './provider-kinds.ts'
import styles from './authentication.module.css'

/** Addresses of this site that the provider has to know. The server takes them from its own public address. */
export function SignOnAddresses({ addresses }: Pick<ProviderForm<string>, 'addresses'>) {
  const texts = useTexts()
  if (addresses.length === 0) return null
  return (
    <Facts
      title={texts('authentication.redirect.title')}
      facts={addresses.map(([label, path]) => ({
        label: texts(label),
        value: <Address text={location.origin + path} />,
      }))}
    />
  )
}

/** An address to copy into another system. */
export function Address({ text }: { readonly text: string }) {
  const texts = useTexts()
  const copy = useCopy()
  return (
    <span className={styles['address']} translate="no">
      {text}
      <IconButton
        label={texts('authentication.redirect.copy', { address: text })}
        icon={<Copy size={16} aria-hidden="true" />}
        onClick={() => void copy(text)}
      />
    </span>
  )
}
