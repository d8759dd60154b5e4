import { routes } from '@godwit/contract/table'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { FormDialog, type FormSchema } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useListEdit } from '../../console-kit/use-list-edit.ts'
import { type DepartmentLine, targetsOf } from './department-tree.ts'
import { DEPARTMENTS } from './departments-query.ts'

export type DepartmentQuestion =
  | { readonly kind: 'add'; readonly parentId: number }
  | { readonly kind: 'rename' | 'remove'; readonly line: DepartmentLine }
  /** `parentId`: where it was dropped. */
  | { readonly kind: 'move'; readonly line: DepartmentLine; readonly parentId?: number }

export interface DepartmentDialogProps {
  readonly question: DepartmentQuestion
  readonly lines: readonly DepartmentLine[]
  /** It was done. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Characters of a name; the server has the rule. */
const NAME_MAX = 64

/** Adds, renames, moves or removes one department. */
export function DepartmentDialog({ question, lines, onDone, onClose }: DepartmentDialogProps) {
  const refresh = useRefresh(DEPARTMENTS)
  const finish = (): void => {
    onDone()
    void refresh()
  }
  switch (question.kind) {
    case 'add':
      return <AddDialog parentId={question.parentId} lines={lines} onDone={finish} onClose={onClose} />
    case 'rename':
      return <RenameDialog line={question.line} onDone={finish} onClose={onClose} />
    case 'move':
      return (
        <MoveDialog
          line={question.line}
          parentId={question.parentId ?? question.line.parentId}
          lines={lines}
          onDone={finish}
          onClose={onClose}
        />
      )
    case 'remove':
      return <RemoveDialog line={question.line} onDone={finish} onClose={onClose} />
  }
}

interface StepProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

interface AddProps extends StepProps {
  readonly parentId: number
  readonly lines: readonly DepartmentLine[]
}

function AddDialog({ parentId, lines, onDone, onClose }: AddProps) {
  const texts = useTexts()
  const { api } = useServices()
  const parent = lines.find(({ id }) => id === parentId)
  return (
    <FormDialog
      title={texts('departments.add')}
      {...(parent === undefined ? {} : { text: texts('departments.add.below', { name: parent.name }) })}
      submitLabel={texts('departments.add')}
      schema={{ name: nameField(texts) }}
      initial={{ name: '' }}
      onClose={onClose}
      onSend={async ({ name }) => {
        await api.call(routes.adminDepartments.add, { body: { name: name.trim(), parentId } })
        onDone()
      }}
    />
  )
}

interface LineProps extends StepProps {
  readonly line: DepartmentLine
}

function RenameDialog({ line: { id, name: before, revision }, onDone, onClose }: LineProps) {
  const texts = useTexts()
  const { api } = useServices()
  const edit = useListEdit(DEPARTMENTS)
  return (
    <FormDialog
      title={texts('departments.rename.title', { name: before })}
      submitLabel={texts('common.save')}
      schema={{ name: nameField(texts) }}
      initial={{ name: before }}
      onClose={onClose}
      onSend={async ({ name }) => {
        const params = { departmentId: id }
        await edit(api.call(routes.adminDepartments.edit, { params, body: { revision, name: name.trim() } }))
        onDone()
      }}
    />
  )
}

interface MoveProps extends LineProps {
  /** Chosen at first. */
  readonly parentId: number
  readonly lines: readonly DepartmentLine[]
}

function MoveDialog({ line, parentId, lines, onDone, onClose }: MoveProps) {
  const texts = useTexts()
  const { api } = useServices()
  const edit = useListEdit(DEPARTMENTS)
  const targets = targetsOf(lines, line.id).map(({ id, path }) => ({ value: String(id), label: path.join(' / ') }))
  return (
    <FormDialog
      title={texts('departments.move.title', { name: line.name })}
      text={texts('departments.move.text')}
      submitLabel={texts('departments.move')}
      schema={{
        parent: {
          kind: 'select',
          label: texts('departments.parent'),
          choices: [{ value: '0', label: texts('departments.root') }, ...targets],
          errors: ['DEPARTMENT_CYCLE', 'DEPARTMENT_NAME_DUPLICATE', 'DEPARTMENT_NOT_FOUND'],
        },
      }}
      initial={{ parent: String(parentId) }}
      onClose={onClose}
      onSend={async ({ parent }) => {
        const params = { departmentId: line.id }
        const body = { revision: line.revision, parentId: Number(parent) }
        await edit(api.call(routes.adminDepartments.edit, { params, body }))
        onDone()
      }}
    />
  )
}

function RemoveDialog({ line: { id, name, users }, onDone, onClose }: LineProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <FormDialog
      title={texts('departments.remove.title', { name })}
      text={texts('departments.remove.text', { count: users })}
      submitLabel={texts('departments.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminDepartments.remove, { body: { departmentId: id } })
        onDone()
      }}
    />
  )
}

function nameField(texts: Texts): FormSchema<'name'>['name'] {
  return {
    kind: 'text',
    label: texts('departments.name'),
    isRequired: true,
    rule: (value) => (value.includes('/') ? texts('departments.name.slash') : undefined),
    errors: ['DEPARTMENT_NAME_DUPLICATE', 'DEPARTMENT_NAME_INVALID'],
    wire: 'name',
    maxLength: NAME_MAX,
    autoComplete: 'off',
  }
}
