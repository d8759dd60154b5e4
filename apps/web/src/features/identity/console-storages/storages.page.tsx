import type { AdminStorage } from '@godwit/contract'
import { useNavigate } from '@tanstack/react-router'
import { Activity, HardDrive, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRight } from '../administration/index.ts'
import { StorageDialog, type StorageQuestion } from './storage.dialogs.tsx'
import { StorageDrawer } from './storage-drawer.tsx'
import { StorageState } from './storage-state.tsx'
import { kindText, stateText } from './storage-texts.ts'
import styles from './storages.module.css'
import { storagesSource } from './storages-source.ts'

const SHAPE = consoleShape({ sort: { by: 'name', order: 'asc' }, sortable: ['name'], filters: ['text'] })

/** Every storage: where it is, whether it answers, and how many keep files on it. */
export function StoragesPage() {
  return useTextBundle('places') ? <Storages /> : null
}

function Storages() {
  const texts = useTexts()
  const navigate = useNavigate()
  const canEdit = useRight('storages.edit')
  const [question, setQuestion] = useState<StorageQuestion>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const add = canEdit && (
    <Button kind="solid" onClick={() => void navigate({ to: '/admin/storages/new' })}>
      {texts('storages.add')}
    </Button>
  )
  return (
    <>
      <ListPage
        name="storages"
        title={texts('storages.title')}
        help={texts('storages.help')}
        actions={add}
        source={storagesSource}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('storages.filter') }]}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        rowActions={useRowActions(setQuestion)}
        empty={{
          icon: <HardDrive size={28} />,
          title: texts('storages.empty.title'),
          text: texts('storages.empty.text'),
          action: add,
        }}
        renderDrawer={(id, close) => (
          <StorageDrawer id={Number(id)} onTest={(storage) => setQuestion({ kind: 'test', storage })} onClose={close} />
        )}
      />
      {question !== undefined && <StorageDialog question={question} onClose={() => setQuestion(undefined)} />}
    </>
  )
}

function useRowActions(ask: (question: StorageQuestion) => void): ReadonlyArray<Action<AdminStorage>> {
  const navigate = useNavigate()
  const [canTest, canEdit] = [useRight('storages.test'), useRight('storages.edit')]
  return [
    {
      name: 'test-storage',
      label: 'storages.test',
      group: 'general',
      icon: Activity,
      when: () => canTest,
      run: (storage) => ask({ kind: 'test', storage }),
    },
    {
      name: 'edit-storage',
      label: 'storages.edit',
      group: 'general',
      icon: Pencil,
      when: () => canEdit,
      run: ({ id }) => void navigate({ to: `/admin/storages/${id}` }),
    },
    {
      name: 'remove-storage',
      label: 'storages.remove',
      group: 'general',
      icon: Trash2,
      when: () => canEdit,
      run: (storage) => ask({ kind: 'remove', storage }),
    },
  ]
}

/** One entry a column: a list, and nothing to split. */
function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminStorage>> {
  const checked = ({ checkedAt }: AdminStorage): string => (checkedAt === null ? '-' : formatTime(checkedAt / 1000))
  return [
    {
      id: 'name',
      header: texts('storages.name'),
      isSortable: true,
      narrow: 'title',
      width: 'minmax(150px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name }) => <span translate="no">{name}</span>,
    },
    {
      id: 'state',
      header: texts('storages.state'),
      width: '130px',
      text: (storage) => stateText(texts, storage),
      cell: (storage) => <StorageState {...storage} />,
    },
    {
      id: 'kind',
      header: texts('storages.kind'),
      width: '160px',
      text: ({ kind }) => kindText(texts, kind),
      cell: ({ kind }) => kindText(texts, kind),
    },
    {
      id: 'place',
      header: texts('storages.place'),
      width: 'minmax(180px, 2fr)',
      text: ({ place }) => place,
      cell: ({ place }) => (
        <span className={styles['place']} translate="no">
          {place}
        </span>
      ),
    },
    {
      id: 'default',
      header: texts('storages.default.short'),
      width: '110px',
      text: ({ defaultOf }) => texts(defaultOf.length > 0 ? 'console.yes' : 'console.no'),
      cell: ({ defaultOf }) => (defaultOf.length > 0 ? <Tag>{texts('storages.default.short')}</Tag> : '-'),
    },
    {
      id: 'spaces',
      header: texts('storages.spaces'),
      isNumeric: true,
      width: '90px',
      text: ({ spaceIds }) => String(spaceIds.length),
      cell: ({ spaceIds }) => spaceIds.length,
    },
    {
      id: 'places',
      header: texts('storages.places'),
      isNumeric: true,
      width: '110px',
      text: ({ places }) => String(places),
      cell: ({ places }) => places,
    },
    {
      id: 'checked',
      header: texts('storages.checked'),
      isExtra: true,
      width: TIME_WIDTH,
      text: checked,
      cell: checked,
    },
  ]
}
