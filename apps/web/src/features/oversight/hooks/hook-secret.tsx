import { useTexts } from '../../../lib/texts.tsx'
import { SecretShown } from '../../../ui/secret-shown.tsx'

/** The secret of a webhook, this once. */
export function HookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const texts = useTexts()
  const name = texts('hooks.secret')
  return <SecretShown title={name} text={texts('hooks.secret.once')} label={name} secret={secret} onClose={onClose} />
}
