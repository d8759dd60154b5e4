import { routes } from '@godwit/contract/table'
import type { AdminUserDetail } from '@godwit/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useMissing, useSite } from '../../foundation/site/index.ts'
import { FormPage } from '../../console-kit/form-page.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { useDepartmentChoices } from '../console-departments/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { userSchema, userTabs } from './user-schema.tsx'
import { copyOf, NEW_USER, newUserOf, userChangeOf, type UserValues, valuesOf } from './user-values.ts'
import { USERS, useUser } from './users-source.ts'

const LIST = '/admin/users'

/** A new account, from nothing or after the pattern of another. */
export function NewUserPage() {
  const texts = useTexts()
  const { copy }: { readonly copy?: string } = useSearch({ strict: false })
  const pattern = useUser(copy)
  const back = useBack()
  const title = texts('users.add.title')
  if (copy === undefined) return <NewUserForm initial={NEW_USER} />
  return (
    <LoadedPage title={title} back={back} query={pattern}>
      {(user) => <NewUserForm initial={copyOf(user)} pattern={user.account} />}
    </LoadedPage>
  )
}

interface NewUserFormProps {
  readonly initial: UserValues
  /** The account that this one is a copy of. */
  readonly pattern?: string
}

function NewUserForm({ initial, pattern }: NewUserFormProps) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(USERS)
  const preset = useSite().passwordPreset
  const added = useRef<AdminUserDetail>(undefined)
  return (
    <FormPage
      title={texts('users.add.title')}
      help={pattern === undefined ? texts('users.add.help') : texts('users.copy.help', { account: pattern })}
      back={useBack()}
      schema={userSchema({ texts, preset, isNew: true, departments: useDepartmentChoices(), missing: useMissing() })}
      tabs={userTabs(texts)}
      initial={initial}
      submitLabel={texts('users.add')}
      onSend={async (values) => {
        added.current = (await api.call(routes.adminUsers.add, { body: newUserOf(values) })).user
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('users.add.done', { account: added.current?.account ?? '' }))
        void navigate({ to: LIST, search: { open: added.current?.id ?? '' } })
      }}
      onCancel={() => void navigate({ to: LIST })}
    />
  )
}

/** Every field of an account that is there. */
export function EditUserPage() {
  const texts = useTexts()
  const { userId }: { readonly userId?: string } = useParams({ strict: false })
  const query = useUser(userId)
  return (
    <LoadedPage title={texts('users.edit.title')} back={useBack()} query={query}>
      {(user) => <EditUserForm key={user.id} user={user} />}
    </LoadedPage>
  )
}

function EditUserForm({ user }: { readonly user: AdminUserDetail }) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(USERS)
  const preset = useSite().passwordPreset
  const params = { userId: user.id }
  const revision = useRef(user.revision)
  return (
    <FormPage
      title={texts('users.edit.of', { account: user.account })}
      back={useBack()}
      schema={userSchema({
        ...{ texts, preset, isNew: false, departments: useDepartmentChoices(), missing: useMissing() },
        ...{ isManaged: user.source !== null, user },
      })}
      tabs={userTabs(texts)}
      initial={valuesOf(user)}
      submitLabel={texts('common.save')}
      onSend={async (values, base) => {
        await api.call(routes.adminUsers.edit, { params, body: userChangeOf(values, base, revision.current) })
      }}
      onConflict={async () => {
        const now = (await api.call(routes.adminUsers.get, { params })).user
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('users.edit.done', { account: user.account }))
        void navigate({ to: LIST, search: { open: user.id } })
      }}
      onCancel={() => void navigate({ to: LIST })}
    />
  )
}

function useBack(): { readonly to: string; readonly label: string } {
  return { to: LIST, label: useTexts()('users.title') }
}
