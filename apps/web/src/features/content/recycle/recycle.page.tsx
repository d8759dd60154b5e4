import { hasPermission } from '@godwit/contract/permissions'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { bindActions } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import type { ListShape } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useListAddress } from '../../../lib/use-list-address.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { DataTable, isRowSelected, useTableSelection } from '../../../ui/data-table/index.ts'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { FilesServicesProvider, Jobs, TargetDialog, useFilesServices, useLibrary } from '../files/index.ts'
import { RECYCLE_ACTIONS, type RecycleContext } from './recycle-actions.ts'
import { recycleColumns } from './recycle-columns.tsx'
import { type RecycledItem, usePlaceUsage, useRecycled } from './recycle-query.ts'
import styles from './recycle.module.css'
import { useRecycleCommands } from './use-recycle-commands.ts'

const SHAPE: ListShape = { pageSizes: [200], pageSize: 200, filters: ['q'], view: ['group'] }

/** What one has deleted in one's own files or in those of a group, until it is restored or its time is over. */
export function RecyclePage() {
  const hasTexts = useTextBundle('recycle')
  const hasDialogs = useTextBundle('files')
  return hasTexts && hasDialogs ? <InPlace /> : null
}

/** The bin of the place that the address names. */
function InPlace() {
  const services = useFilesServices()
  const { groupList } = useAccount().user
  const { view, show } = useListAddress(SHAPE)
  const group = groupList.find(({ groupId }) => String(groupId) === view['group'])
  const inPlace = useMemo(() => {
    const { group: _none, ...own } = services
    return group === undefined ? own : { ...own, place: { ...own.place, groupId: group.groupId }, group }
  }, [services, group])
  const texts = useTexts()
  return (
    <FilesServicesProvider value={inPlace}>
      <Bin key={group?.groupId ?? 0}>
        {groupList.length > 0 && (
          <SelectField
            label={texts('recycle.place')}
            value={group?.groupId ?? ''}
            onChange={({ target }) => show('group', target.value)}
            choices={[
              { value: '', label: texts('files.root') },
              ...groupList.map(({ groupId, groupName }) => ({ value: String(groupId), label: groupName })),
            ]}
          />
        )}
      </Bin>
    </FilesServicesProvider>
  )
}

type Open =
  | { readonly kind: 'restore-to' | 'purge'; readonly items: readonly RecycledItem[] }
  | { readonly kind: 'empty' }

function Bin({ children }: { readonly children: ReactNode }) {
  const texts = useTexts()
  const { clock } = useServices()
  const { filters, filterBy } = useListAddress(SHAPE)
  const { rootName, permission } = useLibrary()
  const [open, show] = useState<Open>()
  const keyword = filters['q'] ?? ''
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRecycled(keyword)
  const rows = data?.pages.flatMap(({ items }) => items)
  const keptDays = data?.pages[0]?.keptDays ?? 0
  const { commands, clear, selecting, rowActions } = useBinActions({ keyword, rows: rows ?? [], show })
  const isEmpty = rows?.length === 0 && keyword === ''
  return (
    <section className={styles['page']} aria-labelledby="recycle-title">
      <div className={styles['head']}>
        <h1 id="recycle-title">{texts('recycle.title')}</h1>
        {children}
        {hasPermission(permission, 'delete') && (
          <EmptyButton disabled={isEmpty || rows === undefined} onClick={() => show({ kind: 'empty' })} />
        )}
      </div>
      <div className={styles['card']} data-testid="recycle">
        {!isEmpty && (
          <FilterBar
            label={texts('recycle.filter')}
            filters={[{ kind: 'search', name: 'q', label: texts('recycle.filter') }]}
            values={filters}
            onChange={filterBy}
          />
        )}
        <Jobs jobs={commands.jobs} />
        <DataTable
          label={texts('recycle.title')}
          columns={recycleColumns({ texts, rootName, keptDays, now: clock.now() })}
          rows={rows}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ recycleId }) => recycleId}
          nameOf={({ name }) => name}
          empty={<Nothing isEmpty={isEmpty} keptDays={keptDays} />}
          selecting={{ ...selecting, summary: rows !== undefined && <Summary keptDays={keptDays} /> }}
          rowActions={rowActions}
        />
        {hasNextPage && (
          <Button className={styles['more']} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts('recycle.more')}
          </Button>
        )}
      </div>
      <OpenWindow open={open} onClose={() => show(undefined)} onDone={clear} commands={commands} />
    </section>
  )
}

interface BinActionsOptions {
  /** What is looked for. */
  readonly keyword: string
  readonly rows: readonly RecycledItem[]
  readonly show: (open: Open) => void
}

/** What can be done with the selected rows and with each row. */
function useBinActions({ keyword, rows, show }: BinActionsOptions) {
  const { permission } = useLibrary()
  const { place } = useFilesServices()
  const commands = useRecycleCommands()
  const { selection, select, clear } = useTableSelection({ place, keyword })
  const contextOf = (items: readonly RecycledItem[]): RecycleContext => ({
    ...{ permission, items },
    restore: (some) => {
      clear()
      void commands.restore(some)
    },
    restoreTo: (some) => show({ kind: 'restore-to', items: some }),
    purge: (some) => show({ kind: 'purge', items: some }),
  })
  const selected = rows.filter(({ recycleId }) => isRowSelected(selection, recycleId))
  const actions = bindActions(RECYCLE_ACTIONS, contextOf(selected))
  return {
    ...{ commands, clear },
    selecting: { selection, onSelect: select, total: rows.length, actions },
    rowActions: RECYCLE_ACTIONS.map((action) => ({
      ...action,
      when: (item: RecycledItem) => action.when?.(contextOf([item])) ?? true,
      run: (item: RecycledItem) => action.run(contextOf([item])),
    })),
  }
}

function EmptyButton(props: { readonly disabled: boolean; readonly onClick: () => void }) {
  const texts = useTexts()
  return (
    <Button kind="danger" {...props}>
      <Trash2 size={18} aria-hidden="true" />
      {texts('recycle.empty')}
    </Button>
  )
}

/** In place of rows: the bin is empty, or nothing in it has the name that was looked for. */
function Nothing({ isEmpty, keptDays }: { readonly isEmpty: boolean; readonly keptDays: number }) {
  const texts = useTexts()
  return (
    <StatePanel
      icon={<Trash2 size={28} />}
      title={texts(isEmpty ? 'recycle.none.title' : 'filter.none')}
      {...(isEmpty ? { text: texts('recycle.none.text', { days: keptDays }) } : {})}
    />
  )
}

/** How long things stay here, and what the bytes of the place are used for. */
function Summary({ keptDays }: { readonly keptDays: number }) {
  const texts = useTexts()
  const { data } = usePlaceUsage()
  if (data === undefined) return null
  const { usedBytes, recycledBytes, versionBytes } = data
  const size = (bytes: number): string => formatSize(bytes, texts.locale)
  return (
    <span className={styles['summary']}>
      {texts('recycle.summary', {
        days: keptDays,
        files: size(Math.max(0, usedBytes - recycledBytes - versionBytes)),
        bin: size(recycledBytes),
        versions: size(versionBytes),
      })}
    </span>
  )
}

interface OpenWindowProps {
  readonly open: Open | undefined
  readonly onClose: () => void
  readonly onDone: () => void
  readonly commands: ReturnType<typeof useRecycleCommands>
}

function OpenWindow({ open, onClose, onDone, commands }: OpenWindowProps) {
  const texts = useTexts()
  const finish = (work: Promise<void>): void => {
    onClose()
    onDone()
    void work
  }
  switch (open?.kind) {
    case undefined:
      return null
    case 'restore-to': {
      const { items } = open
      return (
        <TargetDialog
          kind="restore"
          names={items.map(({ name }) => name)}
          hasFolder={items.some(({ file_type: type }) => type === 'Folder')}
          from="/"
          onChoose={(target) => finish(commands.restore(items, target))}
          onClose={onClose}
        />
      )
    }
    case 'purge': {
      const { items } = open
      return (
        <ConfirmAction
          title={texts('recycle.purge.title', { count: items.length, name: items[0]?.name ?? '' })}
          text={texts('recycle.purge.text')}
          submitLabel={texts('recycle.purge')}
          onConfirm={() => finish(commands.purge(items))}
          onClose={onClose}
        />
      )
    }
    case 'empty':
      return (
        <ConfirmAction
          title={texts('recycle.empty.title')}
          text={texts('recycle.empty.text')}
          submitLabel={texts('recycle.empty')}
          onConfirm={() => finish(commands.empty())}
          onClose={onClose}
        />
      )
  }
}
