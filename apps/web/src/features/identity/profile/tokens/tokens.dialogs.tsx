import { routes } from '@godwit/contract/table'
import type { ApiTokenView } from '@godwit/contract'
import { SECURITY_LIMITS } from '@godwit/contract/identity/security-limits'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { FormDialog, type FormSchema } from '../../../../ui/form/index.ts'
import { SecretShown } from '../../../../ui/secret-shown.tsx'
import { useAccount } from '../../auth/index.ts'
import { passwordProof, UsernameHint } from '../proof-fields.tsx'
import { type Grantable, grantableOf, permissionSet } from '../../../../lib/permission-sets.ts'
import { useApiTokensRefresh } from './tokens-query.ts'

const EXPIRY_DAYS = [7, 30, 90, 180, SECURITY_LIMITS.apiTokenDaysMax] as const
const EXPIRY_DEFAULT = '30'

type TokenField = 'name' | 'permissions' | 'days' | 'password'

/** Name, rights, end and the password; then the token itself, this once. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api } = useServices()
  const [token, setToken] = useState<string>()
  const own = grantableOf(useAccount().user.permission)
  if (token !== undefined) {
    const title = texts('tokens.created.title')
    const text = texts('tokens.created.text')
    return <SecretShown title={title} text={text} label={texts('tokens.token')} secret={token} onClose={onClose} />
  }
  const first = own.filter((each) => each === 'list' || each === 'download')
  return (
    <FormDialog<TokenField>
      title={texts('tokens.add.title')}
      submitLabel={texts('tokens.submit')}
      schema={tokenSchema(own, texts)}
      initial={{ name: '', permissions: first.join(' '), days: EXPIRY_DEFAULT, password: '' }}
      isShownOnce
      lead={<UsernameHint />}
      onClose={onClose}
      onSend={async ({ name, permissions, days, password }) => {
        const body = {
          name: name.trim(),
          permission: permissionSet(chosenOf(permissions)),
          days: Number(days),
          password: encodePassword(password),
        }
        const made = await api.call(routes.security.createApiToken, { body })
        setToken(made.token)
      }}
    />
  )
}

function tokenSchema(own: readonly Grantable[], texts: Texts): FormSchema<TokenField> {
  return {
    name: {
      kind: 'text',
      label: texts('tokens.name'),
      hint: texts('tokens.name-hint'),
      isRequired: true,
      missing: texts('tokens.name-required'),
      maxLength: SECURITY_LIMITS.nameMax,
      autoComplete: 'off',
    },
    permissions: {
      kind: 'checks',
      label: texts('tokens.permissions'),
      choices: own.map((each) => ({ value: each, label: texts(`permission.${each}`) })),
      isRequired: true,
      missing: texts('tokens.permissions-required'),
    },
    days: {
      kind: 'select',
      label: texts('tokens.expiry'),
      isRequired: true,
      choices: EXPIRY_DAYS.map((days) => ({ value: String(days), label: texts('tokens.expiry.days', { days }) })),
    },
    password: passwordProof(texts),
  }
}

function chosenOf(permissions: string): readonly Grantable[] {
  return permissions.split(' ').filter((each): each is Grantable => each !== '')
}

export interface RevokeDialogProps {
  readonly token: ApiTokenView
  readonly onClose: () => void
}

export function RevokeDialog({ token: { id, name }, onClose }: RevokeDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useApiTokensRefresh()
  return (
    <FormDialog
      title={texts('tokens.revoke.title', { name })}
      text={texts('tokens.revoke.text')}
      submitLabel={texts('tokens.revoke')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.security.removeApiToken, { body: { tokenId: id } })
        void refresh()
        messages.notify('success', texts('tokens.revoked', { name }))
      }}
    />
  )
}
