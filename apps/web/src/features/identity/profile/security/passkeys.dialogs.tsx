import { routes } from '@godwit/contract/table'
import type { PasskeyView } from '@godwit/contract'
import { SECURITY_LIMITS } from '@godwit/contract/identity/security-limits'
import { encodePassword } from '@godwit/contract/passwords'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { deviceOf } from '../../../../lib/device.ts'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { FormDialog, type Field } from '../../../../ui/form/index.ts'
import { passwordProof, UsernameHint } from '../proof-fields.tsx'
import { useSecurityRefresh } from './security-query.ts'

/** The name and the password first; the browser asks the rest. */
export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useSecurityRefresh()
  const here = deviceOf(navigator.userAgent)
  return (
    <FormDialog<'name' | 'password'>
      title={texts('security.passkeys.add.title')}
      text={texts('security.passkeys.add.text')}
      submitLabel={texts('common.continue')}
      schema={{ name: nameField(texts), password: passwordProof(texts) }}
      initial={{ name: here === undefined ? '' : texts('security.device', { ...here }), password: '' }}
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ name, password }) => {
        const proof = { password: encodePassword(password) }
        const { options } = await api.call(routes.security.beginPasskey, { body: proof })
        const response = await created(options)
        if (response === undefined) {
          messages.notify('info', texts('security.passkeys.cancelled'))
          return
        }
        await api.call(routes.security.finishPasskey, { body: { name: name.trim(), response } })
        void refresh('passkeys')
        messages.notify('success', texts('security.passkeys.added', { name: name.trim() }))
      }}
    />
  )
}

function nameField<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'text',
    label: texts('security.passkeys.name'),
    hint: texts('security.passkeys.name-hint'),
    isRequired: true,
    missing: texts('security.passkeys.name-required'),
    maxLength: SECURITY_LIMITS.nameMax,
    autoComplete: 'off',
  }
}

/** @returns undefined when the person closed the browser's question, or this device has a passkey already */
async function created(options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return { ...(await startRegistration({ optionsJSON })) }
  } catch {
    return undefined // Only the browser's wording distinguishes a refusal from a closed prompt.
  }
}

export interface OnePasskeyProps {
  readonly passkey: PasskeyView
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ passkey: { id, name: before }, onClose }: OnePasskeyProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useSecurityRefresh()
  return (
    <FormDialog<'name'>
      title={texts('security.passkeys.rename.title', { name: before })}
      submitLabel={texts('security.passkeys.rename')}
      schema={{ name: nameField(texts) }}
      initial={{ name: before }}
      onClose={onClose}
      onSend={async ({ name }) => {
        await api.call(routes.security.renamePasskey, { body: { passkeyId: id, name: name.trim() } })
        void refresh('passkeys')
        messages.notify('success', texts('security.passkeys.renamed', { name: name.trim() }))
      }}
    />
  )
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: OnePasskeyProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useSecurityRefresh()
  return (
    <FormDialog<'password'>
      title={texts('security.passkeys.remove.title', { name })}
      text={texts('security.passkeys.remove.text')}
      submitLabel={texts('security.passkeys.remove')}
      isDangerous
      schema={{ password: passwordProof(texts) }}
      initial={{ password: '' }}
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ password }) => {
        const body = { passkeyId: id, password: encodePassword(password) }
        await api.call(routes.security.removePasskey, { body })
        void refresh('passkeys')
        messages.notify('success', texts('security.passkeys.removed', { name }))
      }}
    />
  )
}
