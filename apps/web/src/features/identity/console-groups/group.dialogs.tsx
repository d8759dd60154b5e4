import { LIMITS } from '@godwit/contract/limits'
import { routes } from '@godwit/contract/table'
import type { AdminGroup } from '@godwit/contract'
import { bytesOfGigabytes, gigabytesOf, isGigabytes } from '../../../lib/gigabytes.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type Field, FormDialog, type FormSchema } from '../../../ui/form/index.ts'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useListEdit } from '../../console-kit/use-list-edit.ts'
import { useSpaceChoices } from '../console-spaces/index.ts'
import { GROUPS } from './groups-source.ts'

export type GroupQuestion = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly group: AdminGroup }

export interface GroupDialogProps {
  readonly question: GroupQuestion
  readonly onClose: () => void
}

/** Characters of a name; the server has the rule. */
const NAME_MAX = 32

/** Adds, edits or removes one group. */
export function GroupDialog({ question, onClose }: GroupDialogProps) {
  switch (question.kind) {
    case 'add':
      return <AddDialog onClose={onClose} />
    case 'edit':
      return <EditDialog group={question.group} onClose={onClose} />
    case 'remove':
      return <RemoveDialog group={question.group} onClose={onClose} />
  }
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(GROUPS)
  const spaces = useSpaceChoices()
  // The form begins once its choices are there.
  if (spaces === undefined) return null
  return (
    <FormDialog<'name' | 'space' | 'quota'>
      title={texts('console-groups.add')}
      text={texts('console-groups.add.text')}
      submitLabel={texts('console-groups.add')}
      schema={newGroupSchema(texts, spaces)}
      initial={{ name: '', space: String(LIMITS.defaultSpaceId), quota: '' }}
      onClose={onClose}
      onSend={async ({ name, space, quota }) => {
        const body = { name: name.trim(), spaceId: Number(space), quotaBytes: quotaOf(quota) }
        await api.call(routes.adminGroups.add, { body })
        void refresh()
        messages.notify('success', texts('console-groups.add.done', { name: name.trim() }))
      }}
    />
  )
}

interface OneGroupProps {
  readonly group: AdminGroup
  readonly onClose: () => void
}

function EditDialog({ group: { id, name: before, quotaBytes, revision }, onClose }: OneGroupProps) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(GROUPS)
  const edit = useListEdit(GROUPS)
  const first = { name: before, quota: quotaBytes === 0 ? '' : gigabytesOf(quotaBytes) }
  return (
    <FormDialog
      title={texts('console-groups.edit.title', { name: before })}
      submitLabel={texts('common.save')}
      schema={groupSchema(texts)}
      initial={first}
      onClose={onClose}
      onSend={async ({ name, quota }) => {
        const body = {
          revision,
          ...(name === first.name ? {} : { name: name.trim() }),
          ...(quota === first.quota ? {} : { quotaBytes: quotaOf(quota) }),
        }
        await edit(api.call(routes.adminGroups.edit, { params: { groupId: id }, body }))
        void refresh()
      }}
    />
  )
}

function RemoveDialog({ group: { id, name }, onClose }: OneGroupProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(GROUPS)
  return (
    <FormDialog
      title={texts('console-groups.remove.title', { name })}
      text={texts('console-groups.remove.text')}
      submitLabel={texts('console-groups.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminGroups.remove, { body: { groupId: id } })
        void refresh()
        messages.notify('success', texts('console-groups.remove.done', { name }))
      }}
    />
  )
}

/** The space is chosen once: members of a group are members of its space. */
function newGroupSchema(texts: Texts, spaces: readonly SelectChoice[]): FormSchema<'name' | 'space' | 'quota'> {
  const { name, quota } = groupSchema<'name' | 'space' | 'quota'>(texts)
  return {
    name,
    space: {
      kind: 'select',
      label: texts('console-groups.space'),
      hint: texts('console-groups.space.hint'),
      isHidden: () => spaces.length < 2,
      choices: spaces,
      translate: 'no',
      errors: ['SPACE_NOT_FOUND'],
      wire: 'spaceId',
    },
    quota,
  }
}

function groupSchema<Name extends string = 'name' | 'quota'>(
  texts: Texts,
): { readonly name: Field<Name>; readonly quota: Field<Name> } {
  return {
    name: {
      kind: 'text',
      label: texts('console-groups.name'),
      isRequired: true,
      errors: ['GROUP_NAME_DUPLICATE'],
      wire: 'name',
      maxLength: NAME_MAX,
      autoComplete: 'off',
    },
    quota: {
      kind: 'text',
      inputMode: 'decimal',
      label: texts('users.quota.gb'),
      hint: texts('console-groups.quota.hint'),
      rule: (value) => (isGigabytes(value) ? undefined : texts('users.quota.invalid')),
      wire: 'quotaBytes',
      autoComplete: 'off',
    },
  }
}

/** 0: no limit. */
function quotaOf(text: string): number {
  return text.trim() === '' ? 0 : bytesOfGigabytes(text)
}
