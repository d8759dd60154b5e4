import { routes } from '@godwit/contract/table'
import type { AdminMount, AdminUserDetail } from '@godwit/contract'
import { isStorageAlias } from '@godwit/contract/field-rules'
import { LIMITS } from '@godwit/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { FolderSymlink, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { type Field, FormDialog, type FormSchema, ON } from '../../../ui/form/index.ts'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import fieldStyles from '../../../ui/text-field.module.css'
import { useRefresh } from '../../console-kit/list-source.ts'
import { NotLoaded } from '../../console-kit/not-loaded.tsx'
import styles from './user-mounts.module.css'
import { USERS } from './users-source.ts'

type Question =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename'; readonly mount: AdminMount }
  | { readonly kind: 'remove'; readonly mount: AdminMount }

/** Virtual directories of an account. Each change takes effect at once, apart from the form that they stand in. */
export function UserMounts({ user }: { readonly user: Pick<AdminUserDetail, 'id' | 'account' | 'spaces'> }) {
  const texts = useTexts()
  const { api } = useServices()
  const [question, setQuestion] = useState<Question>()
  const query = useQuery({
    queryKey: ['console', USERS, 'mounts', user.id],
    queryFn: ({ signal }) => api.call(routes.adminMounts.list, { params: { userId: user.id } }, { signal }),
  })
  const { data } = query
  const canEdit = data !== undefined && data.storages.length > 0
  return (
    <fieldset className={styles['mounts']}>
      <legend className={fieldStyles['label']}>{texts('users.mounts')}</legend>
      <p className={fieldStyles['hint']}>{texts('users.mounts.hint')}</p>
      {data === undefined && <NotLoaded query={query} />}
      {data?.mounts.length === 0 && <p className={fieldStyles['hint']}>{texts('users.mounts.none')}</p>}
      <ul className={styles['list']}>
        {data?.mounts.map((mount) => (
          <MountItem key={mount.id} mount={mount} canEdit={canEdit} onAsk={setQuestion} />
        ))}
      </ul>
      {canEdit && (
        <div>
          <Button onClick={() => setQuestion({ kind: 'add' })}>
            <Plus size={18} aria-hidden="true" />
            {texts('users.mounts.add')}
          </Button>
        </div>
      )}
      {question !== undefined && (
        <MountDialog
          question={question}
          user={user}
          storages={data?.storages ?? []}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </fieldset>
  )
}

interface MountItemProps {
  readonly mount: AdminMount
  readonly canEdit: boolean
  readonly onAsk: (question: Question) => void
}

function MountItem({ mount, canEdit, onAsk }: MountItemProps) {
  const texts = useTexts()
  const { alias, storageName: storage, path, readOnly } = mount
  return (
    <li className={styles['mount']}>
      <FolderSymlink size={20} aria-hidden="true" />
      <span className={styles['facts']}>
        <span className={styles['alias']} translate="no">
          {alias}
        </span>
        <span className={styles['place']} translate="no">
          {texts(readOnly ? 'users.mounts.place.read-only' : 'users.mounts.place', { storage, path })}
        </span>
      </span>
      {canEdit && (
        <>
          <IconButton
            label={texts('users.mounts.rename', { alias })}
            icon={<Pencil size={18} aria-hidden="true" />}
            onClick={() => onAsk({ kind: 'rename', mount })}
          />
          <IconButton
            label={texts('users.mounts.remove', { alias })}
            icon={<Trash2 size={18} aria-hidden="true" />}
            onClick={() => onAsk({ kind: 'remove', mount })}
          />
        </>
      )}
    </li>
  )
}

interface MountDialogProps {
  readonly question: Question
  readonly user: Pick<AdminUserDetail, 'id' | 'account' | 'spaces'>
  readonly storages: ReadonlyArray<{ readonly id: number; readonly name: string }>
  readonly onClose: () => void
}

type MountField = 'alias' | 'space' | 'storage' | 'path' | 'readOnly'

/** Does a change, shows the new list and says what became of it. */
function useSettle() {
  const { messages } = useServices()
  const refresh = useRefresh(USERS)
  return async (work: Promise<unknown>, done: string): Promise<void> => {
    await work
    await refresh()
    messages.notify('success', done)
  }
}

function MountDialog({ question, user, storages, onClose }: MountDialogProps) {
  switch (question.kind) {
    case 'add':
      return <AddDialog user={user} storages={storages} onClose={onClose} />
    case 'rename':
      return <RenameDialog mount={question.mount} user={user} onClose={onClose} />
    case 'remove':
      return <RemoveDialog mount={question.mount} user={user} onClose={onClose} />
  }
}

function AddDialog({ user, storages, onClose }: Omit<MountDialogProps, 'question'>) {
  const texts = useTexts()
  const { api } = useServices()
  const settle = useSettle()
  return (
    <FormDialog<MountField>
      title={texts('users.mounts.add.title', { account: user.account })}
      submitLabel={texts('users.mounts.add')}
      schema={mountSchema(texts, { spaces: user.spaces, storages })}
      initial={{
        ...{ alias: '', path: '', readOnly: '', space: String(user.spaces[0]?.id ?? LIMITS.defaultSpaceId) },
        storage: String(storages[0]?.id ?? ''),
      }}
      onClose={onClose}
      onSend={({ alias, space, storage, path, readOnly }) => {
        const named = { alias: alias.trim(), path: path.trim(), readOnly: readOnly === ON }
        const body = { ...named, spaceId: Number(space), storageId: Number(storage) }
        const work = api.call(routes.adminMounts.add, { params: { userId: user.id }, body })
        return settle(work, texts('users.mounts.added', { alias: named.alias }))
      }}
    />
  )
}

type OfMountProps = Pick<MountDialogProps, 'user' | 'onClose'> & { readonly mount: AdminMount }

function RenameDialog({ mount, user, onClose }: OfMountProps) {
  const texts = useTexts()
  const { api } = useServices()
  const settle = useSettle()
  const params = { userId: user.id, mountId: mount.id }
  return (
    <FormDialog<'alias'>
      title={texts('users.mounts.rename', { alias: mount.alias })}
      text={texts('users.mounts.rename.text')}
      submitLabel={texts('common.save')}
      schema={{ alias: aliasField(texts) }}
      initial={{ alias: mount.alias }}
      onClose={onClose}
      onSend={(values) => {
        const alias = values.alias.trim()
        const work = api.call(routes.adminMounts.rename, { params, body: { alias } })
        return settle(work, texts('users.mounts.renamed', { alias }))
      }}
    />
  )
}

function RemoveDialog({ mount: { id: mountId, alias, path }, user, onClose }: OfMountProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const settle = useSettle()
  return (
    <ConfirmAction
      title={texts('users.mounts.remove', { alias })}
      text={texts('users.mounts.remove.text', { alias, account: user.account, path })}
      submitLabel={texts('users.mounts.remove.submit')}
      onConfirm={() => {
        const work = api.call(routes.adminMounts.remove, { params: { userId: user.id, mountId } })
        settle(work, texts('users.mounts.removed', { alias })).catch((thrown: unknown) => {
          messages.fail(thrown, texts)
        })
      }}
      onClose={onClose}
    />
  )
}

interface Places {
  readonly spaces: AdminUserDetail['spaces']
  readonly storages: MountDialogProps['storages']
}

function mountSchema(texts: Texts, { spaces, storages }: Places): FormSchema<MountField> {
  return {
    alias: aliasField<MountField>(texts),
    space: {
      kind: 'select',
      label: texts('users.mounts.space'),
      isHidden: () => spaces.length < 2,
      choices: choicesOf(spaces.map((space) => ({ id: space.id, name: nameOfSpace(space, texts) }))),
      translate: 'no',
      errors: ['NO_SPACE'],
      wire: 'spaceId',
    },
    storage: {
      kind: 'select',
      label: texts('users.mounts.storage'),
      choices: choicesOf(storages),
      translate: 'no',
      errors: ['STORAGE_NOT_FOUND'],
      wire: 'storageId',
    },
    path: {
      kind: 'text',
      label: texts('users.mounts.path'),
      hint: texts('users.mounts.path.hint'),
      isRequired: true,
      errors: ['STORAGE_PATH_INVALID', 'PATH_IS_FILE', 'NAME_INVALID', 'PATH_TOO_LONG'],
      wire: 'path',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      translate: 'no',
    },
    readOnly: {
      kind: 'switch',
      label: texts('users.mounts.read-only'),
      hint: texts('users.mounts.read-only.hint'),
    },
  }
}

function choicesOf(named: ReadonlyArray<{ readonly id: number; readonly name: string }>): SelectChoice[] {
  return named.map(({ id, name }) => ({ value: String(id), label: name }))
}

function aliasField<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'text',
    label: texts('users.mounts.alias'),
    hint: texts('users.mounts.alias.hint'),
    isRequired: true,
    maxLength: LIMITS.aliasMax,
    rule: (value) => (isStorageAlias(value) && !value.includes('/') ? undefined : texts('users.mounts.alias.rule')),
    errors: ['ALIAS_PATH_INVALID', 'ALIAS_PATH_DUPLICATE', 'PATH_EXISTS', 'NAME_CASE_CLASH'],
    wire: 'alias',
    autoComplete: 'off',
    spellCheck: false,
    translate: 'no',
  }
}
