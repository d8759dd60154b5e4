import type { FileItem, LinkInfo } from '@godwit/contract'
import { Download, FolderOpen, ShieldCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Action, bindActions } from '../../../lib/actions.tsx'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import type { ListSort } from '../../../lib/list-address.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useKeyedState } from '../../../lib/use-keyed-state.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable, isRowSelected, useTableSelection } from '../../../ui/data-table/index.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { neighboursOf, Preview } from '../../content/preview/index.ts'
import { downloadFromVisit } from './download-visit.ts'
import { entryColumns, isFolder } from './entry-columns.tsx'
import { ShareHeading } from './share-heading.tsx'
import { useVisitAddress } from './visit-address.ts'
import { useVisitFolder } from './visit-queries.ts'
import { createVisitOperations, VISIT_PLACE } from './visit-operations.ts'
import type { Visit } from './visit.ts'
import { VisitTrail } from './visit-trail.tsx'
import styles from './visits.module.css'

const CheckCopyDialog = lazyWindow(
  lazyModule(() => import('./check-copy.dialog.tsx')),
  (module) => module.CheckCopyDialog,
)

export interface SharedFilesProps {
  readonly visit: Visit
  readonly info: LinkInfo
}

/** A download link: what is shared, to look at and to take. */
export function SharedFiles({ visit, info }: SharedFilesProps) {
  const texts = useTexts()
  const { folder, view, go } = useVisitAddress()
  const [sort, setSort] = useState<ListSort>({ by: 'name', order: 'asc' })
  const { selection, select } = useTableSelection(folder)
  const list = useVisitFolder(visit, folder, sort)
  const { take, isBusy } = useDownload(visit)
  const hasBegun = useStore(visit.session) !== undefined
  const [checked, setChecked] = useKeyedState<FileItem | undefined>(folder, undefined)
  const operate = useMemo(() => createVisitOperations(visit.api), [visit])
  const mayDownload = info.shareAllowDownload === 1
  const rows = list.rows ?? []
  const pathOf = (name: string): string => joinPath(folder, name)
  const openFolder = (path: string): void => go({ folder: path, view: undefined })
  const open = (item: FileItem): void =>
    isFolder(item) ? openFolder(pathOf(item.name)) : go({ folder, view: item.name })
  const selected = rows.filter(({ name }) => isRowSelected(selection, name))
  const takeSelected = (): void => take(selected.map(({ name }) => pathOf(name)))
  return (
    <>
      <ShareHeading info={info} isBusy={isBusy || !hasBegun} onDownload={mayDownload ? () => take([]) : undefined} />
      <section className={styles['card']} aria-label={texts('share.files')}>
        {info.type !== 0 && <VisitTrail folder={folder} rootName={info.title} onOpen={openFolder} />}
        <DataTable
          label={texts('share.files')}
          columns={entryColumns({ texts, folder, open })}
          rows={list.rows}
          error={list.error}
          onRetry={() => void list.refetch()}
          idOf={({ name }) => name}
          nameOf={({ name }) => name}
          empty={<StatePanel icon={<FolderOpen size={28} />} title={texts('share.empty')} />}
          sort={sort}
          onSort={setSort}
          selecting={
            mayDownload && info.type !== 0
              ? {
                  selection,
                  onSelect: select,
                  total: rows.length,
                  summary: texts('share.select-hint'),
                  actions: bindActions(SELECTION_ACTIONS, { count: selected.length, takeSelected }),
                }
              : undefined
          }
          rowActions={mayDownload ? rowActions((item) => take([pathOf(item.name)]), setChecked) : undefined}
        />
        {list.hasNextPage && !list.isPlaceholderData && (
          <Button className={styles['more']} disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            {texts('share.more', { shown: rows.length, total: list.total })}
          </Button>
        )}
      </section>
      {checked !== undefined && (
        <CheckCopyDialog
          visit={visit}
          path={pathOf(checked.name)}
          name={checked.name}
          size={checked.size}
          onClose={() => setChecked(undefined)}
        />
      )}
      {view !== undefined && hasBegun && (
        <Preview
          operate={operate}
          place={VISIT_PLACE}
          path={pathOf(view)}
          name={view}
          neighbours={neighboursOf({ names: rows.map(({ name }) => name), isFile: (at) => isFileAt(rows, at) }, view)}
          onTurn={(name) => go({ folder, view: name }, true)}
          onDownload={mayDownload ? () => take([pathOf(view)]) : undefined}
          onClose={() => go({ folder, view: undefined }, true)}
        />
      )}
    </>
  )
}

function isFileAt(rows: readonly FileItem[], at: number): boolean {
  const row = rows[at]
  return row !== undefined && !isFolder(row)
}

interface SelectionContext {
  readonly count: number
  readonly takeSelected: () => void
}

const SELECTION_ACTIONS: ReadonlyArray<Action<SelectionContext>> = [
  {
    name: 'download-selected',
    label: 'share.download-selected',
    group: 'files',
    icon: Download,
    tone: 'solid',
    when: ({ count }) => count > 0,
    run: ({ takeSelected }) => takeSelected(),
  },
]

function rowActions(take: (item: FileItem) => void, check: (item: FileItem) => void): ReadonlyArray<Action<FileItem>> {
  return [
    { name: 'download', label: 'action.download', group: 'files', icon: Download, run: take },
    {
      ...{ name: 'check', label: 'share.check', group: 'files', icon: ShieldCheck, run: check },
      when: (item) => !isFolder(item),
    },
  ]
}

/** One ticket at a time; afterwards the browser's own list of downloads shows how far it is. */
function useDownload(visit: Visit) {
  const texts = useTexts()
  const { messages } = useServices()
  const [isBusy, setBusy] = useState(false)
  const take = (paths: readonly string[]): void => {
    setBusy(true)
    downloadFromVisit(visit, paths)
      .then(() => messages.notify('info', texts('download.started')))
      .catch((error: unknown) => messages.fail(error, texts))
      .finally(() => setBusy(false))
  }
  return { take, isBusy }
}
