import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, File, FileWarning, FolderOpen } from 'lucide-react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import type { SecretKey } from './seal-keys.ts'
import { rowOf, type SealedRow, type SealedSource } from './sealed-rows.ts'
import styles from './sealed.module.css'
import { useSealedDownload } from './use-sealed-download.ts'

const MS = 1000

/** What an encrypted link holds, by the names that its key opens, to be decrypted and saved here. */
export function SealedFiles({ source, link }: { readonly source: SealedSource; readonly link: SecretKey }) {
  const texts = useTexts()
  const query = useInfiniteQuery({
    queryKey: [...source.queryKey, 'sealed'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = await source.list(pageParam, signal)
      return { ...page, rows: await Promise.all(page.items.map((item) => rowOf(item, link))) }
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const total = query.data?.pages[0]?.total ?? 0
  const download = useSealedDownload(source)
  const whole = rows?.filter(({ file }) => file !== undefined) ?? []
  return (
    <section className={styles['files']} aria-label={texts('sealed.files')} data-testid="sealed-files">
      <Notice kind="info">
        {texts('sealed.notice')} {texts('sealed.unscanned')}
      </Notice>
      {download.failed.map(({ name, reason }) => (
        <Notice kind="error" key={name}>
          {texts(`sealed.failed.${reason}`, { name })}
        </Notice>
      ))}
      {download.now !== undefined && (
        <div className={styles['progress']} role="status">
          <p>
            {texts('sealed.downloading', {
              name: download.now.name,
              done: formatSize(download.now.done, texts.locale),
              total: formatSize(download.now.size, texts.locale),
            })}
          </p>
          <ProgressBar
            label={texts('sealed.files')}
            value={download.now.size === 0 ? 1 : download.now.done / download.now.size}
          />
          <Button onClick={download.stop}>{texts('common.cancel')}</Button>
        </div>
      )}
      <DataTable
        label={texts('sealed.files')}
        columns={columnsOf(texts)}
        rows={rows}
        error={query.error}
        onRetry={() => void query.refetch()}
        idOf={({ stored }) => stored}
        nameOf={({ path }) => path}
        empty={<StatePanel icon={<FolderOpen size={28} />} title={texts('sealed.empty')} />}
        sort={undefined}
        onSort={() => undefined}
        rowActions={[
          {
            ...{ name: 'download', label: 'action.download', group: 'files', icon: Download },
            when: ({ file }: SealedRow) => file !== undefined && download.now === undefined,
            run: (row: SealedRow) => download.take([row]),
          },
        ]}
      />
      <div className={styles['buttons']}>
        {whole.length > 1 && !query.hasNextPage && (
          <Button disabled={download.now !== undefined} onClick={() => download.take(whole)}>
            <Download size={16} aria-hidden="true" />
            {texts('sealed.download-all', { count: whole.length })}
          </Button>
        )}
        {query.hasNextPage && (
          <Button disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
            {texts('sealed.more', { shown: rows?.length ?? 0, total })}
          </Button>
        )}
      </div>
    </section>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<Column<SealedRow>> {
  return [
    {
      id: 'name',
      header: texts('files.column.name'),
      narrow: 'title',
      cell: ({ path, file }) => (
        <span className={styles['entry']}>
          {file === undefined ? <FileWarning size={18} aria-hidden="true" /> : <File size={18} aria-hidden="true" />}
          <span>
            <span translate="no">{path}</span>
            {file === undefined && <span className={styles['bad']}>{texts('sealed.broken')}</span>}
          </span>
        </span>
      ),
    },
    {
      id: 'size',
      header: texts('files.column.size'),
      isNumeric: true,
      width: '112px',
      cell: ({ file }) => (file === undefined ? '-' : formatSize(file.size, texts.locale)),
    },
    {
      id: 'time',
      narrow: 'none',
      header: texts('files.column.time'),
      width: TIME_WIDTH,
      cell: ({ file }) => (file === undefined ? '-' : formatTime(Math.floor(file.modified / MS))),
    },
  ]
}
