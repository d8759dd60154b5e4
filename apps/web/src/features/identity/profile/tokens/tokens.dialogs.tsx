import { routes } from '@godwit/contract/table'
import type { ApiTokenView } from '@godwit/contract'
import { SECURITY_LIMITS } from '@godwit/contract/identity/security-limits'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import type { FormState } from '../../../../lib/use-form.ts'
import { CheckGroup } from '../../../../ui/check-group.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useAccount } from '../../auth/index.ts'
import { ActionDialog } from '../action-dialog.tsx'
import { passwordMissing, ProvePassword } from '../prove-fields.tsx'
import { type Grantable, grantableOf, permissionSet } from './token-permissions.ts'
import { TokenShown } from './token-shown.tsx'

const EXPIRY_DAYS = [7, 30, 90, 180, SECURITY_LIMITS.apiTokenDaysMax] as const
const EXPIRY_DEFAULT = '30'

type Field = 'name' | 'permissions' | 'days' | 'password'

/** Name, rights, end and the password; then the token itself, this once. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api } = useServices()
  const [token, setToken] = useState<string>()
  const own = grantableOf(useAccount().user.permission)
  if (token !== undefined) return <TokenShown token={token} onClose={onClose} />
  const first = own.filter((each) => each === 'list' || each === 'download')
  return (
    <ActionDialog<Field>
      title={texts('tokens.add.title')}
      submitLabel={texts('tokens.submit')}
      initial={{ name: '', permissions: first.join(' '), days: EXPIRY_DEFAULT, password: '' }}
      faultsOf={(values) => faultsOf(values, texts)}
      onClose={onClose}
      onSubmit={async ({ name, permissions, days, password }) => {
        const body = {
          name: name.trim(),
          permission: permissionSet(chosenOf(permissions)),
          days: Number(days),
          password: encodePassword(password),
        }
        const made = await api.call(routes.security.createApiToken, { body })
        setToken(made.token)
      }}
    >
      {(form) => <TokenFields form={form} own={own} />}
    </ActionDialog>
  )
}

function faultsOf({ name, permissions, password }: Readonly<Record<Field, string>>, texts: Texts) {
  return {
    name: name.trim() === '' ? texts('tokens.name-required') : undefined,
    permissions: permissions === '' ? texts('tokens.permissions-required') : undefined,
    password: passwordMissing(password, texts),
  }
}

function chosenOf(permissions: string): readonly Grantable[] {
  return permissions.split(' ').filter((each): each is Grantable => each !== '')
}

interface TokenFieldsProps {
  readonly form: FormState<Field>
  readonly own: readonly Grantable[]
}

function TokenFields({ form, own }: TokenFieldsProps) {
  const texts = useTexts()
  return (
    <>
      <TextField
        {...form.field('name')}
        label={texts('tokens.name')}
        hint={texts('tokens.name-hint')}
        maxLength={SECURITY_LIMITS.nameMax}
        autoComplete="off"
        required
      />
      <CheckGroup
        label={texts('tokens.permissions')}
        choices={own.map((each) => ({ value: each, label: texts(`permission.${each}`) }))}
        chosen={new Set(chosenOf(form.values.permissions))}
        onChange={(chosen) => form.field('permissions').onChange({ target: { value: [...chosen].join(' ') } })}
        error={form.field('permissions').error}
      />
      <SelectField
        name="days"
        label={texts('tokens.expiry')}
        value={form.values.days}
        choices={EXPIRY_DAYS.map((days) => ({ value: String(days), label: texts('tokens.expiry.days', { days }) }))}
        onChange={({ target }) => form.set({ days: target.value })}
        required
      />
      <ProvePassword form={form} />
    </>
  )
}

export interface RevokeDialogProps {
  readonly token: ApiTokenView
  readonly onClose: () => void
}

export function RevokeDialog({ token: { id, name }, onClose }: RevokeDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  return (
    <ActionDialog
      title={texts('tokens.revoke.title', { name })}
      text={texts('tokens.revoke.text')}
      submitLabel={texts('tokens.revoke')}
      isDangerous
      initial={{}}
      faultsOf={() => ({})}
      onClose={onClose}
      onSubmit={async () => {
        await api.call(routes.security.removeApiToken, { body: { tokenId: id } })
        messages.tell('success', texts('tokens.revoked', { name }))
        onClose()
      }}
    >
      {() => null}
    </ActionDialog>
  )
}
