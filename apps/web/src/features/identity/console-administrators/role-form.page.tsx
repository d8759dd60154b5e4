import { routes } from '@godwit/contract/table'
import type { AdminRole } from '@godwit/contract'
import { CONSOLE_SCOPES } from '@godwit/contract/identity/console-rights'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, ON } from '../../../ui/form/index.ts'
import { FormPage, type FormPageProps } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { loadRole, ROLES, useRole } from './administrators-source.ts'
import { rightsOf } from './rights.ts'
import { RightsMatrix } from './rights-matrix.tsx'

const LIST = '/admin/roles'
/** Characters of a name; the server has the rule. */
const NAME_MAX = 32

type RoleField = 'name' | 'rights' | 'auditScope' | 'folderScope' | 'secondFactor'
type RoleValues = Readonly<Record<RoleField, string>>

const NEW_ROLE: RoleValues = { name: '', rights: '', auditScope: 'own', folderScope: 'own', secondFactor: '' }

/** A new role. */
export function NewRolePage() {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <RoleForm
      title={texts('roles.add')}
      initial={NEW_ROLE}
      submitLabel={texts('roles.add')}
      onSend={async (values) => {
        await api.call(routes.adminRoles.add, { body: bodyOf(values) })
      }}
    />
  )
}

/** What a role is called and may do. */
export function EditRolePage() {
  const texts = useTexts()
  const { roleId }: { readonly roleId?: string } = useParams({ strict: false })
  const query = useRole(Number(roleId))
  return (
    <LoadedPage title={texts('roles.edit')} back={{ to: LIST, label: texts('roles.title') }} query={query}>
      {(role) => <EditRoleForm key={role.id} role={role} />}
    </LoadedPage>
  )
}

function EditRoleForm({ role }: { readonly role: AdminRole }) {
  const texts = useTexts()
  const { api } = useServices()
  const { id, name } = role
  // Of the values in the form: the page asks for the role again by itself, and somebody may have changed it meanwhile.
  const revision = useRef(role.revision)
  return (
    <RoleForm
      title={texts('roles.edit.of', { name })}
      help={texts('roles.edit.help', { count: role.administrators })}
      initial={valuesOf(role)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const body = { revision: revision.current, ...bodyOf(values) }
        await api.call(routes.adminRoles.edit, { params: { roleId: id }, body })
      }}
      onConflict={async () => {
        const now = await loadRole(api, id)
        revision.current = now.revision
        return valuesOf(now)
      }}
    />
  )
}

interface RoleFormProps extends Pick<
  FormPageProps<RoleField>,
  'title' | 'initial' | 'submitLabel' | 'onSend' | 'onConflict'
> {
  readonly help?: string
}

function RoleForm({ help, ...form }: RoleFormProps) {
  const texts = useTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(ROLES)
  const { messages } = useServices()
  const leave = (): void => void navigate({ to: LIST })
  return (
    <FormPage
      {...form}
      help={help ?? texts('roles.add.help')}
      back={{ to: LIST, label: texts('roles.title') }}
      schema={roleSchema(texts)}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('roles.saved'))
        leave()
      }}
      onCancel={leave}
    />
  )
}

function roleSchema(texts: Texts): FormSchema<RoleField> {
  const scopes = CONSOLE_SCOPES.map((value) => ({ value, label: texts(`roles.scope.${value}`) }))
  return {
    name: {
      kind: 'text',
      label: texts('roles.name'),
      isRequired: true,
      errors: ['ROLE_NAME_DUPLICATE'],
      wire: 'name',
      maxLength: NAME_MAX,
      autoComplete: 'off',
    },
    rights: {
      kind: 'custom',
      label: texts('roles.rights'),
      render: (form) => <RightsMatrix value={form.values.rights} onChange={(rights) => form.set({ rights })} />,
    },
    auditScope: {
      kind: 'select',
      label: texts('roles.audit-scope'),
      hint: texts('roles.audit-scope.hint'),
      choices: scopes,
    },
    folderScope: {
      kind: 'select',
      label: texts('roles.folder-scope'),
      hint: texts('roles.folder-scope.hint'),
      choices: scopes,
    },
    secondFactor: { kind: 'switch', label: texts('roles.factor'), hint: texts('roles.factor.hint') },
  }
}

function valuesOf({ name, rights, auditScope, folderScope, secondFactor }: AdminRole): RoleValues {
  return { name, rights: rights.join(' '), auditScope, folderScope, secondFactor: secondFactor ? ON : '' }
}

function bodyOf({ name, rights, auditScope, folderScope, secondFactor }: RoleValues) {
  return {
    name: name.trim(),
    rights: [...rightsOf(rights)],
    auditScope: CONSOLE_SCOPES.find((each) => each === auditScope) ?? 'own',
    folderScope: CONSOLE_SCOPES.find((each) => each === folderScope) ?? 'own',
    secondFactor: secondFactor === ON,
  }
}
