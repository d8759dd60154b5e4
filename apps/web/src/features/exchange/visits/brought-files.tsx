import { useState } from 'react'
import type { ListSort } from '../../../lib/list-address.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table/index.ts'
import { entryColumns, isFolder } from './entry-columns.tsx'
import type { Visit } from './visit.ts'
import { useVisitFolder } from './visit-queries.ts'
import styles from './visits.module.css'

export interface BroughtFilesProps {
  readonly visit: Visit
  readonly folder: string
  readonly onOpen: (folder: string) => void
}

/** What this visit brought so far; nothing of anybody else. */
export function BroughtFiles({ visit, folder, onOpen }: BroughtFilesProps) {
  const texts = useTexts()
  const [sort, setSort] = useState<ListSort>({ by: 'name', order: 'asc' })
  const { rows, error, total, refetch, hasNextPage, isFetching, fetchNextPage } = useVisitFolder(visit, folder, sort)
  if (error === null && (rows === undefined || rows.length === 0)) return null
  return (
    <section className={styles['card']} aria-labelledby="brought-title" data-testid="brought">
      <header className={styles['cardHead']}>
        <h2 id="brought-title">{texts('share.brought')}</h2>
      </header>
      <DataTable
        label={texts('share.brought')}
        columns={entryColumns({ texts, folder, open: ({ name }) => onOpen(joinPath(folder, name)), opens: isFolder })}
        rows={rows}
        error={error}
        onRetry={() => void refetch()}
        idOf={({ name }) => name}
        nameOf={({ name }) => name}
        empty={null}
        sort={sort}
        onSort={setSort}
      />
      {hasNextPage && (
        <Button className={styles['more']} disabled={isFetching} onClick={() => void fetchNextPage()}>
          {texts('share.more', { shown: rows?.length ?? 0, total })}
        </Button>
      )}
    </section>
  )
}
