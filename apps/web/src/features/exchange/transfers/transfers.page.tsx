import type { TransferView } from '@godwit/contract'
import { TRANSFER_GROUPS } from '@godwit/contract/exchange/transfer-states'
import { LIMITS } from '@godwit/contract/limits'
import { ArrowUpDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ListShape } from '../../../lib/list-address.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useListAddress } from '../../../lib/use-list-address.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table/index.ts'
import { FilterBar, type Filter } from '../../../ui/filter-bar.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { FailedFilesDialog } from './failed-files.dialog.tsx'
import { LimitDialog } from './limit.dialog.tsx'
import { listColumns } from './list-columns.tsx'
import { filterOf, useTransferList } from './list-query.ts'
import { deviceText, devicesOf, isLive, sortedTransfers } from './list-rules.ts'
import styles from './transfers.module.css'
import { useListActions } from './use-list-actions.ts'

const SHAPE: ListShape = {
  pageSizes: LIMITS.pageSizes,
  pageSize: LIMITS.linkPageSize,
  sortable: ['name', 'state', 'progress', 'speed', 'device', 'created'],
  filters: ['q', 'state', 'direction', 'device'],
}

/** All transfers of the account: by this browser, other tabs, the client and every other way. */
export function TransfersPage() {
  const texts = useTexts()
  const address = useListAddress(SHAPE)
  const { filters, sort } = address
  const list = useTransferList(filterOf(filters))
  const [failed, showFailed] = useState<TransferView>()
  const [limited, setLimited] = useState<TransferView>()
  const actions = useListActions({
    ...{ onFiles: showFailed, onLimit: setLimited },
    onChanged: () => void list.refetch(),
  })
  const loaded = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  const rows = useMemo(() => loaded && shown(loaded, filters['device'], sort), [loaded, filters, sort])
  const columns = useMemo(() => listColumns(texts), [texts])
  const listFilters = useFilters(loaded ?? [])
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const isOver = rows?.some((row) => !isLive(row)) === true
  return (
    <section className={styles['page']} aria-labelledby="transfers-title">
      <div className={styles['head']}>
        <h1 id="transfers-title">{texts('menu.transfers')}</h1>
        {isOver && (
          <Button onClick={() => void actions.clear(isFiltered ? rows.filter((row) => !isLive(row)) : undefined)}>
            {texts('transfers.clear')}
          </Button>
        )}
      </div>
      <div className={styles['card']} data-testid="transfer-list">
        {(isFiltered || (loaded?.length ?? 0) > 0) && (
          <FilterBar
            label={texts('transfers.filter')}
            filters={listFilters}
            values={filters}
            onChange={address.filterBy}
          />
        )}
        <div className={styles['scroll']}>
          <DataTable
            label={texts('menu.transfers')}
            columns={columns}
            rows={rows}
            error={list.error}
            onRetry={() => void list.refetch()}
            idOf={({ transferId }) => transferId}
            nameOf={({ name }) => name}
            empty={
              <StatePanel
                icon={<ArrowUpDown size={28} />}
                title={texts(isFiltered ? 'filter.none' : 'transfers.empty.title')}
                {...(isFiltered ? {} : { text: texts('transfers.empty.text') })}
              />
            }
            sort={sort}
            onSort={address.sortBy}
            selecting={undefined}
            rowActions={actions.ofRow}
          />
        </div>
        {list.hasNextPage && (
          <Button
            className={styles['more']}
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {texts('transfers.more')}
          </Button>
        )}
      </div>
      {failed !== undefined && <FailedFilesDialog transfer={failed} onClose={() => showFailed(undefined)} />}
      {limited !== undefined && <LimitDialog transfer={limited} onClose={() => setLimited(undefined)} />}
    </section>
  )
}

function shown(
  items: readonly TransferView[],
  device: string | undefined,
  sort: Parameters<typeof sortedTransfers>[1],
) {
  const fitting = device === undefined || device === '' ? items : items.filter((item) => deviceText(item) === device)
  return sortedTransfers(fitting, sort)
}

function useFilters(items: readonly TransferView[]): readonly Filter[] {
  const texts = useTexts()
  const choices = (values: readonly string[], label: (value: string) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  const groups = TRANSFER_GROUPS.map((value) => ({ value, label: texts(`transfers.group.${value}`) }))
  const directions = (['upload', 'download'] as const).map((value) => ({ value, label: texts(`transfers.${value}`) }))
  return [
    { kind: 'search', name: 'q', label: texts('transfers.search') },
    { kind: 'choice', name: 'state', label: texts('transfers.column.state'), choices: groups },
    { kind: 'choice', name: 'direction', label: texts('transfers.direction'), choices: directions },
    {
      kind: 'choice',
      name: 'device',
      label: texts('transfers.column.device'),
      choices: choices(devicesOf(items), (value) => value),
    },
  ]
}
