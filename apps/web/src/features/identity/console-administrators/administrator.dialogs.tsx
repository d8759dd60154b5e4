import { routes } from '@godwit/contract/table'
import type { Administrator } from '@godwit/contract'
import { encodePassword } from '@godwit/contract/passwords'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type Field, FormDialog } from '../../../ui/form/index.ts'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useListEdit } from '../../console-kit/use-list-edit.ts'
import { idOfAccount } from './account-id.ts'
import { ADMINISTRATORS, useRoleChoices } from './administrators-source.ts'

export type AdministratorQuestion =
  | { readonly kind: 'appoint' | 'transfer' }
  | { readonly kind: 'edit' | 'remove'; readonly administrator: Administrator }

export interface AdministratorDialogProps {
  readonly question: AdministratorQuestion
  readonly onClose: () => void
}

/** Appoints, changes or removes an administrator, or hands the site over. */
export function AdministratorDialog({ question, onClose }: AdministratorDialogProps) {
  switch (question.kind) {
    case 'appoint':
      return <AppointDialog onClose={onClose} />
    case 'transfer':
      return <TransferDialog onClose={onClose} />
    case 'edit':
      return <EditDialog administrator={question.administrator} onClose={onClose} />
    case 'remove':
      return <RemoveDialog administrator={question.administrator} onClose={onClose} />
  }
}

interface StepProps {
  readonly onClose: () => void
}

function AppointDialog({ onClose }: StepProps) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(ADMINISTRATORS)
  const roles = useRoleChoices()
  return (
    <FormDialog<'account' | 'role'>
      title={texts('administrators.add')}
      text={texts('administrators.add.text')}
      submitLabel={texts('administrators.add')}
      schema={{ account: accountField(texts), role: roleField(texts, roles) }}
      initial={{ account: '', role: '' }}
      onClose={onClose}
      onSend={async ({ account, role }) => {
        const userId = await idOfAccount(api, account)
        await api.call(routes.administrators.appoint, { body: { userId, roleId: Number(role) } })
        void refresh()
      }}
    />
  )
}

interface OneProps extends StepProps {
  readonly administrator: Administrator
}

function EditDialog({ administrator: { id, account, role: held, revision }, onClose }: OneProps) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(ADMINISTRATORS)
  const edit = useListEdit(ADMINISTRATORS)
  const roles = useRoleChoices()
  return (
    <FormDialog<'role'>
      title={texts('administrators.edit.title', { account })}
      text={texts('administrators.edit.text')}
      submitLabel={texts('common.save')}
      schema={{ role: roleField(texts, roles) }}
      initial={{ role: String(held?.id ?? '') }}
      onClose={onClose}
      onSend={async ({ role }) => {
        const body = { revision, roleId: Number(role) }
        await edit(api.call(routes.administrators.edit, { params: { userId: id }, body }))
        void refresh()
      }}
    />
  )
}

function RemoveDialog({ administrator: { id, account }, onClose }: OneProps) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(ADMINISTRATORS)
  return (
    <FormDialog
      title={texts('administrators.remove.title', { account })}
      text={texts('administrators.remove.text')}
      submitLabel={texts('administrators.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.administrators.remove, { body: { userId: id } })
        void refresh()
      }}
    />
  )
}

/** Everything that only the super administrator may do goes with it, so it asks for the password. */
function TransferDialog({ onClose }: StepProps) {
  const texts = useTexts()
  const { api } = useServices()
  const roles = useRoleChoices()
  return (
    <FormDialog<'account' | 'role' | 'password'>
      title={texts('administrators.transfer')}
      text={texts('administrators.transfer.text')}
      submitLabel={texts('administrators.transfer')}
      isDangerous
      schema={{
        account: accountField(texts),
        role: {
          kind: 'select',
          label: texts('administrators.transfer.role'),
          choices: [{ value: '', label: texts('administrators.transfer.none') }, ...roles],
          translate: 'no',
        },
        password: {
          kind: 'password',
          label: texts('administrators.transfer.password'),
          isRequired: true,
          errors: ['OLD_PASSWORD_WRONG'],
          autoComplete: 'current-password',
        },
      }}
      initial={{ account: '', role: '', password: '' }}
      isFollowed
      onClose={onClose}
      onSend={async ({ account, role, password }) => {
        const userId = await idOfAccount(api, account)
        const body = { userId, password: encodePassword(password), ...(role === '' ? {} : { roleId: Number(role) }) }
        await api.call(routes.administrators.transferSuper, { body })
        // What the menu shows has changed for whoever was in it.
        location.assign('/admin')
      }}
    />
  )
}

function accountField<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'text',
    label: texts('users.account'),
    isRequired: true,
    errors: ['ACCOUNT_NOT_FOUND', 'ADMIN_EXISTS'],
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    translate: 'no',
  }
}

function roleField<Name extends string>(texts: Texts, roles: readonly SelectChoice[]): Field<Name> {
  return {
    kind: 'select',
    label: texts('administrators.role'),
    isRequired: true,
    choices: [{ value: '', label: texts('administrators.role.choose') }, ...roles],
    errors: ['ROLE_NOT_FOUND'],
    translate: 'no',
  }
}
