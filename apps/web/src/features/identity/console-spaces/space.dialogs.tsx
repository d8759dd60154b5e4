import { routes } from '@godwit/contract/table'
import type { AdminSpace, AdminStorage } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { FormDialog, type FormSchema } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useListEdit } from '../../console-kit/use-list-edit.ts'
import { useRight } from '../administration/index.ts'
import { SPACES } from './spaces-source.ts'

export type SpaceQuestion = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly space: AdminSpace }

export interface SpaceDialogProps {
  readonly question: SpaceQuestion
  readonly onClose: () => void
}

type SpaceField = 'name' | 'storages' | 'standard' | 'skip'
type SpaceValues = Readonly<Record<SpaceField, string>>

/** Characters of a name; the server has the rule. */
const NAME_MAX = 64
const NEW_SPACE: SpaceValues = { name: '', storages: '', standard: '', skip: '' }

/** Adds, edits or removes one space. */
export function SpaceDialog({ question, onClose }: SpaceDialogProps) {
  const storages = useStorageChoices()
  // The form begins once its choices are there.
  if (storages === undefined) return null
  switch (question.kind) {
    case 'add':
      return <AddDialog storages={storages} onClose={onClose} />
    case 'edit':
      return <EditDialog space={question.space} storages={storages} onClose={onClose} />
    case 'remove':
      return <RemoveDialog space={question.space} onClose={onClose} />
  }
}

type StorageChoice = Pick<AdminStorage, 'id' | 'name'>

/** None for whoever may not see storages. */
function useStorageChoices(): readonly StorageChoice[] | undefined {
  const { api } = useServices()
  const isAllowed = useRight('storages.view')
  const { data } = useQuery({
    queryKey: ['console', 'storages', 'choices'],
    enabled: isAllowed,
    queryFn: async ({ signal }) => (await api.call(routes.adminStorages.list, {}, { signal })).storages,
  })
  return isAllowed ? data : []
}

interface FormProps {
  readonly storages: readonly StorageChoice[]
  readonly onClose: () => void
}

function AddDialog({ storages, onClose }: FormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(SPACES)
  return (
    <FormDialog
      title={texts('console-spaces.add')}
      text={texts('console-spaces.add.text')}
      submitLabel={texts('console-spaces.add')}
      schema={spaceSchema({ texts, storages, isDefault: false })}
      initial={NEW_SPACE}
      onClose={onClose}
      onSend={async (values) => {
        const name = values.name.trim()
        const body = { name, ...storagesOf(values), skipAboveMb: skipOf(values) }
        await api.call(routes.adminSpaces.add, { body })
        void refresh()
        messages.notify('success', texts('console-spaces.add.done', { name }))
      }}
    />
  )
}

function EditDialog({ space, storages, onClose }: FormProps & { readonly space: AdminSpace }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(SPACES)
  const edit = useListEdit(SPACES)
  const initial = valuesOf(space)
  const name = nameOfSpace(space, texts)
  return (
    <FormDialog
      title={texts('console-spaces.edit.title', { name })}
      submitLabel={texts('common.save')}
      schema={spaceSchema({ texts, storages, isDefault: space.isDefault })}
      initial={initial}
      onClose={onClose}
      onSend={async (values) => {
        const isMoved = values.storages !== initial.storages || values.standard !== initial.standard
        const body = {
          revision: space.revision,
          ...(values.name === initial.name ? {} : { name: values.name.trim() }),
          ...(isMoved ? { storages: storagesOf(values) } : {}),
          ...(values.skip === initial.skip ? {} : { skipAboveMb: skipOf(values) }),
        }
        await edit(api.call(routes.adminSpaces.edit, { params: { spaceId: space.id }, body }))
        void refresh()
        messages.notify('success', texts('console-spaces.edit.done', { name }))
      }}
    />
  )
}

interface RemoveProps {
  readonly space: AdminSpace
  readonly onClose: () => void
}

function RemoveDialog({ space: { id, name, members, groups }, onClose }: RemoveProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(SPACES)
  return (
    <FormDialog<'confirm'>
      title={texts('console-spaces.remove.title', { name })}
      text={texts(groups > 0 ? 'console-spaces.remove.groups' : 'console-spaces.remove.text', {
        count: groups > 0 ? groups : members,
      })}
      submitLabel={texts('console-spaces.remove')}
      isDangerous
      isDone={groups > 0}
      schema={{
        confirm: {
          kind: 'text',
          label: texts('console-spaces.remove.confirm', { name }),
          isRequired: true,
          rule: (value) => (value.trim() === name ? undefined : texts('console-spaces.remove.other', { name })),
          autoComplete: 'off',
          spellCheck: false,
        },
      }}
      initial={{ confirm: '' }}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminSpaces.remove, { body: { spaceId: id } })
        void refresh()
        messages.notify('success', texts('console-spaces.remove.done', { name }))
      }}
    />
  )
}

interface SchemaOptions {
  readonly texts: Texts
  readonly storages: readonly StorageChoice[]
  readonly isDefault: boolean
}

function spaceSchema({ texts, storages, isDefault }: SchemaOptions): FormSchema<SpaceField> {
  const choices = storages.map(({ id, name }) => ({ value: String(id), label: name }))
  const chosen = (values: SpaceValues) => choices.filter(({ value }) => values.storages.split(' ').includes(value))
  const none = { value: '', label: texts('console-spaces.standard.none') }
  return {
    name: {
      kind: 'text',
      label: texts('console-spaces.name'),
      isHidden: () => isDefault,
      isRequired: true,
      errors: ['SPACE_NAME_DUPLICATE'],
      wire: 'name',
      maxLength: NAME_MAX,
      autoComplete: 'off',
    },
    storages: {
      kind: 'checks',
      label: texts('console-spaces.storages'),
      isRequired: isDefault,
      isHidden: () => choices.length === 0,
      choices,
      errors: ['STORAGE_NOT_FOUND'],
      // The default is one of those that are chosen.
      derive: (value, { standard }) => ({
        standard: value.split(' ').includes(standard) ? standard : (value.split(' ')[0] ?? ''),
      }),
    },
    standard: {
      kind: 'select',
      label: texts('console-spaces.standard'),
      hint: texts('console-spaces.standard.hint'),
      isHidden: () => choices.length === 0,
      choices: (values) => (values.storages === '' ? [none] : chosen(values)),
      translate: 'no',
      errors: ['SPACE_NEEDS_STORAGE'],
    },
    skip: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('console-spaces.skip'),
      hint: texts('console-spaces.skip.hint'),
      rule: (value) => (/^[1-9]\d{0,8}$/.test(value.trim()) ? undefined : texts('console-spaces.skip.invalid')),
      wire: 'skipAboveMb',
      autoComplete: 'off',
    },
  }
}

function valuesOf({ name, storages, skipAboveMb }: AdminSpace): SpaceValues {
  const standard = storages.find(({ isDefault }) => isDefault)?.id
  return {
    name,
    storages: storages.map(({ id }) => id).join(' '),
    standard: standard === undefined ? '' : String(standard),
    skip: skipAboveMb === null ? '' : String(skipAboveMb),
  }
}

function storagesOf({ storages, standard }: SpaceValues) {
  const storageIds = storages
    .split(' ')
    .filter((each) => each !== '')
    .map(Number)
  return { storageIds, defaultStorageId: standard === '' ? null : Number(standard) }
}

function skipOf({ skip }: SpaceValues): number | null {
  return skip.trim() === '' ? null : Number(skip)
}
