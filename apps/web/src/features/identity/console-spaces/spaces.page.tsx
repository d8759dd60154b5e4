import type { AdminSpace } from '@godwit/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { Boxes, HardDriveUpload, Pencil, ShieldCheck, Trash2, UserCog } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRight } from '../administration/index.ts'
import { SpaceDialog, type SpaceQuestion } from './space.dialogs.tsx'
import styles from './spaces.module.css'
import { spacesSource, useSpacesUsage } from './spaces-source.ts'

const SHAPE = consoleShape({ sort: { by: 'name', order: 'asc' }, sortable: ['name'], filters: ['text'] })

/** Every space with its storages, members and administrators. */
export function SpacesPage() {
  return useTextBundle('places') ? <Spaces /> : null
}

function Spaces() {
  const texts = useTexts()
  const canEdit = useRight('spaces.edit')
  const [question, setQuestion] = useState<SpaceQuestion>()
  const usage = useSpacesUsage()
  const columns = useMemo(() => columnsOf(texts, usage), [texts, usage])
  const source = useMemo(() => spacesSource(texts), [texts])
  const rowActions = useRowActions(canEdit, setQuestion)
  const add = canEdit && (
    <Button kind="solid" onClick={() => setQuestion({ kind: 'add' })}>
      {texts('console-spaces.add')}
    </Button>
  )
  return (
    <>
      <ListPage
        name="spaces"
        title={texts('console-spaces.title')}
        help={texts('console-spaces.help')}
        actions={add}
        source={source}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('console-spaces.filter') }]}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={(space) => nameOfSpace(space, texts)}
        rowActions={rowActions}
        empty={{
          icon: <Boxes size={28} />,
          title: texts('console-spaces.empty.title'),
          text: texts('console-spaces.empty.text'),
          action: add,
        }}
      />
      {question !== undefined && <SpaceDialog question={question} onClose={() => setQuestion(undefined)} />}
    </>
  )
}

function useRowActions(canEdit: boolean, ask: (question: SpaceQuestion) => void): ReadonlyArray<Action<AdminSpace>> {
  const navigate = useNavigate()
  const canMove = useRight('storages.edit')
  return [
    {
      name: 'space-members',
      label: 'console-spaces.members',
      group: 'general',
      icon: UserCog,
      run: ({ id }) => void navigate({ to: `/admin/spaces/${id}` }),
    },
    {
      name: 'edit-space',
      label: 'console-spaces.edit',
      group: 'general',
      icon: Pencil,
      when: () => canEdit,
      run: (space) => ask({ kind: 'edit', space }),
    },
    {
      name: 'space-rules',
      label: 'console-spaces.rules',
      group: 'general',
      icon: ShieldCheck,
      when: () => canEdit,
      run: ({ id }) => void navigate({ to: `/admin/spaces/${id}/rules` }),
    },
    {
      name: 'space-move',
      label: 'console-spaces.move',
      group: 'general',
      icon: HardDriveUpload,
      when: () => canMove,
      run: ({ id }) => void navigate({ to: `/admin/spaces/${id}/move` }),
    },
    {
      name: 'remove-space',
      label: 'console-spaces.remove',
      group: 'general',
      icon: Trash2,
      when: ({ isDefault }) => canEdit && !isDefault,
      run: (space) => ask({ kind: 'remove', space }),
    },
  ]
}

/** One entry a column: a list, and nothing to split. */
function columnsOf(texts: Texts, usage: ReadonlyMap<number, number>): ReadonlyArray<ListColumn<AdminSpace>> {
  const list = new Intl.ListFormat(texts.locale)
  const storages = (space: AdminSpace): string =>
    list.format(
      space.storages.map(({ name, isDefault }) =>
        isDefault && space.storages.length > 1 ? texts('storages.spaces.default', { space: name }) : name,
      ),
    )
  const administrators = (space: AdminSpace): string => list.format(space.administrators.map(({ account }) => account))
  const skip = ({ skipAboveMb }: AdminSpace): string =>
    skipAboveMb === null ? '-' : texts('console-spaces.skip.mb', { size: skipAboveMb })
  return [
    {
      id: 'name',
      header: texts('console-spaces.name'),
      isSortable: true,
      narrow: 'title',
      width: 'minmax(140px, 1.2fr)',
      text: (space) => nameOfSpace(space, texts),
      cell: (space) => (
        <Link className={styles['name']} to={`/admin/spaces/${space.id}`}>
          {nameOfSpace(space, texts)}
        </Link>
      ),
    },
    {
      id: 'storages',
      header: texts('console-spaces.storages'),
      width: 'minmax(150px, 1.6fr)',
      text: storages,
      cell: (space) =>
        space.storages.length === 0 ? (
          texts('console-spaces.standard.none')
        ) : (
          <span translate="no">{storages(space)}</span>
        ),
    },
    {
      id: 'members',
      header: texts('console-spaces.members'),
      isNumeric: true,
      width: '100px',
      text: ({ members }) => String(members),
      cell: ({ members }) => members,
    },
    {
      id: 'groups',
      header: texts('console-spaces.groups'),
      isNumeric: true,
      width: '100px',
      text: ({ groups }) => String(groups),
      cell: ({ groups }) => groups,
    },
    {
      id: 'administrators',
      header: texts('console-spaces.administrators'),
      width: 'minmax(140px, 1fr)',
      text: administrators,
      cell: (space) => <span translate="no">{space.administrators.length === 0 ? '-' : administrators(space)}</span>,
    },
    {
      id: 'usage',
      header: texts('console-spaces.usage'),
      isNumeric: true,
      width: '100px',
      text: ({ id }) => formatSize(usage.get(id) ?? 0, texts.locale),
      cell: ({ id }) => (usage.has(id) ? formatSize(usage.get(id), texts.locale) : '-'),
    },
    { id: 'skip', header: texts('console-spaces.skip.short'), width: '120px', text: skip, cell: skip },
  ]
}
