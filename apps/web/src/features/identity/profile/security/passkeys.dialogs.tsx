import { routes } from '@godwit/contract/table'
import type { PasskeyView } from '@godwit/contract'
import { SECURITY_LIMITS } from '@godwit/contract/identity/security-limits'
import { encodePassword } from '@godwit/contract/passwords'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { deviceOf } from '../../../../lib/device.ts'
import { useServices } from '../../../../lib/services.tsx'
import { useTexts } from '../../../../lib/texts.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { ActionDialog } from '../action-dialog.tsx'
import { passwordMissing, ProvePassword } from '../prove-fields.tsx'

/** The name and the password first; the browser asks the rest. */
export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const here = deviceOf(navigator.userAgent)
  return (
    <ActionDialog
      title={texts('security.passkeys.add.title')}
      text={texts('security.passkeys.add.text')}
      submitLabel={texts('common.continue')}
      initial={{ name: here === undefined ? '' : texts('security.device', { ...here }), password: '' }}
      faultsOf={({ name, password }) => ({
        name: name.trim() === '' ? texts('security.passkeys.name-required') : undefined,
        password: passwordMissing(password, texts),
      })}
      onClose={onClose}
      onSubmit={async ({ name, password }) => {
        const proof = { password: encodePassword(password) }
        const { options } = await api.call(routes.security.beginPasskey, { body: proof })
        const response = await created(options)
        if (response === undefined) {
          messages.tell('info', texts('security.passkeys.cancelled'))
          return
        }
        await api.call(routes.security.finishPasskey, { body: { name: name.trim(), response } })
        messages.tell('success', texts('security.passkeys.added', { name: name.trim() }))
        onClose()
      }}
    >
      {(form) => (
        <>
          <TextField
            {...form.field('name')}
            label={texts('security.passkeys.name')}
            hint={texts('security.passkeys.name-hint')}
            maxLength={SECURITY_LIMITS.nameMax}
            autoComplete="off"
            required
          />
          <ProvePassword form={form} />
        </>
      )}
    </ActionDialog>
  )
}

/** @returns undefined when the person closed the browser's question, or this device has a passkey already */
async function created(options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return { ...(await startRegistration({ optionsJSON })) }
  } catch {
    return undefined // The browser tells a refusal from a closed question only in words.
  }
}

export interface OnePasskeyProps {
  readonly passkey: PasskeyView
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ passkey: { id, name: before }, onClose }: OnePasskeyProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  return (
    <ActionDialog
      title={texts('security.passkeys.rename.title', { name: before })}
      submitLabel={texts('security.passkeys.rename')}
      initial={{ name: before }}
      faultsOf={({ name }) => ({ name: name.trim() === '' ? texts('security.passkeys.name-required') : undefined })}
      onClose={onClose}
      onSubmit={async ({ name }) => {
        await api.call(routes.security.renamePasskey, { body: { passkeyId: id, name: name.trim() } })
        messages.tell('success', texts('security.passkeys.renamed', { name: name.trim() }))
        onClose()
      }}
    >
      {(form) => (
        <TextField
          {...form.field('name')}
          label={texts('security.passkeys.name')}
          maxLength={SECURITY_LIMITS.nameMax}
          autoComplete="off"
          required
        />
      )}
    </ActionDialog>
  )
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: OnePasskeyProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  return (
    <ActionDialog
      title={texts('security.passkeys.remove.title', { name })}
      text={texts('security.passkeys.remove.text')}
      submitLabel={texts('security.passkeys.remove')}
      isDangerous
      initial={{ password: '' }}
      faultsOf={({ password }) => ({ password: passwordMissing(password, texts) })}
      onClose={onClose}
      onSubmit={async ({ password }) => {
        const body = { passkeyId: id, password: encodePassword(password) }
        await api.call(routes.security.removePasskey, { body })
        messages.tell('success', texts('security.passkeys.removed', { name }))
        onClose()
      }}
    >
      {(form) => <ProvePassword form={form} />}
    </ActionDialog>
  )
}
