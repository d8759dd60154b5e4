import { CornerUpRight, FolderPlus, Network, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/index.ts'
import { classNames } from '../../../ui/class-names.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { useRight } from '../administration/index.ts'
import { type DepartmentQuestion, DepartmentDialog } from './department.dialogs.tsx'
import { departmentLines, type DepartmentLine, openLines } from './department-tree.ts'
import { useDepartments } from './departments-query.ts'
import styles from './departments.module.css'
import { DepartmentName } from './department-name.tsx'
import { useDepartmentDrag } from './use-department-drag.ts'

const TABLE_HEIGHT = 700

/** The tree of departments; each line opens, and what can be done with it stands at its end. */
export function DepartmentsPage() {
  const texts = useTexts()
  const { data, error, refetch } = useDepartments()
  const canEdit = useRight('departments.edit')
  const isRoomy = useMedia(ROOMY)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [question, setQuestion] = useState<DepartmentQuestion>()
  const all = useMemo(() => (data === undefined ? undefined : departmentLines(data, texts.locale)), [data, texts])
  const shown = useMemo(() => (all === undefined ? undefined : openLines(all, open)), [all, open])
  const drag = useDepartmentDrag({
    all: all ?? [],
    shown: shown ?? [],
    onMove: (line, parentId) => setQuestion({ kind: 'move', line, parentId }),
  })
  const toggle = (id: number): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const add = canEdit && (
    <Button kind="solid" onClick={() => setQuestion({ kind: 'add', parentId: 0 })}>
      {texts('departments.add')}
    </Button>
  )
  return (
    <PageFrame title={texts('departments.title')} help={texts('departments.help')} actions={add}>
      <div
        className={classNames(styles['card'], drag.target === 0 && styles['root'])}
        {...(canEdit ? drag.handlers : {})}
      >
        <DataTable
          label={texts('departments.title')}
          columns={columnsOf(texts, { open, toggle, canEdit, target: drag.target })}
          rows={shown}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ id }) => String(id)}
          nameOf={({ name }) => name}
          {...(isRoomy ? { maxHeight: TABLE_HEIGHT } : {})}
          rowActions={canEdit ? rowActionsOf(setQuestion) : []}
          empty={
            <StatePanel
              icon={<Network size={28} />}
              title={texts('departments.empty.title')}
              text={texts('departments.empty.text')}
              actions={add}
            />
          }
        />
      </div>
      {question !== undefined && (
        <DepartmentDialog
          question={question}
          lines={all ?? []}
          onDone={() => question.kind === 'add' && setOpen(new Set([...open, question.parentId]))}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </PageFrame>
  )
}

interface TreeView {
  readonly open: ReadonlySet<number>
  readonly toggle: (id: number) => void
  readonly canEdit: boolean
  /** Where a dragged department would go. */
  readonly target: number | undefined
}

function columnsOf(texts: Texts, { open, toggle, canEdit, target }: TreeView): ReadonlyArray<Column<DepartmentLine>> {
  return [
    {
      id: 'name',
      header: texts('departments.name'),
      narrow: 'title',
      cell: (line) => (
        <DepartmentName
          line={line}
          isOpen={open.has(line.id)}
          isDraggable={canEdit && line.source === 'local'}
          isTarget={target === line.id}
          onToggle={toggle}
        />
      ),
    },
    {
      id: 'users',
      header: texts('departments.users'),
      isNumeric: true,
      width: '110px',
      cell: ({ users }) => users,
    },
    {
      id: 'allUsers',
      header: texts('departments.all-users'),
      isNumeric: true,
      width: '150px',
      cell: ({ allUsers }) => allUsers,
    },
    {
      id: 'source',
      header: texts('departments.source'),
      width: '180px',
      cell: ({ source }) => texts(`departments.source.${source}`),
    },
  ]
}

function rowActionsOf(ask: (question: DepartmentQuestion) => void): ReadonlyArray<Action<DepartmentLine>> {
  const isOwn = ({ source }: DepartmentLine): boolean => source === 'local'
  return [
    {
      name: 'add-department',
      label: 'departments.add-below',
      group: 'general',
      icon: FolderPlus,
      run: ({ id }) => ask({ kind: 'add', parentId: id }),
    },
    {
      name: 'rename-department',
      label: 'departments.rename',
      group: 'general',
      icon: Pencil,
      when: isOwn,
      run: (line) => ask({ kind: 'rename', line }),
    },
    {
      name: 'move-department',
      label: 'departments.move',
      group: 'general',
      icon: CornerUpRight,
      when: isOwn,
      run: (line) => ask({ kind: 'move', line }),
    },
    {
      name: 'remove-department',
      label: 'departments.remove',
      group: 'general',
      icon: Trash2,
      when: isOwn,
      run: (line) => ask({ kind: 'remove', line }),
    },
  ]
}
