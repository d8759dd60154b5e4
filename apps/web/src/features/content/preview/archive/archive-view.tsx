import { ChevronRight, File, Folder } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { formatSize, formatTime } from '../../../../lib/formats.ts'
import { useTexts } from '../../../../lib/texts.tsx'
import { useWindowing } from '../../../../lib/use-windowing.ts'
import type { ViewProps } from '../view-props.ts'
import { type ArchiveRow, rowsOf } from './archive-entries.ts'
import styles from './archive.module.css'
import { useArchive } from './use-archive.ts'
import { useEntrySaving } from './use-entry-saving.ts'

const ROW_HEIGHT = 44

/** What an archive holds, folder by folder. A click on a file fetches and unpacks that one; the archive stays where it is. */
export function ArchiveView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const [folder, open] = useState('')
  const archive = useArchive(file, onBroken)
  const { note, save } = useEntrySaving()
  const collator = useMemo(() => new Intl.Collator(texts.locale, { numeric: true }), [texts.locale])
  const { entries, count } = archive
  const rows = useMemo(() => rowsOf(entries.slice(0, count), folder, collator), [entries, count, folder, collator])
  return (
    <>
      <Trail folder={folder} onOpen={open} />
      <Rows
        key={folder}
        rows={rows}
        label={texts('preview.content', { name: file.name })}
        onPick={(row) => (row.entry === undefined || row.isFolder ? open(row.path) : save(row.entry, row.name))}
      />
      <p className={styles['foot']} role="status">
        {note ?? texts(`preview.archive.${archive.state}`, { count })}
      </p>
    </>
  )
}

function Trail({ folder, onOpen }: { readonly folder: string; readonly onOpen: (folder: string) => void }) {
  const texts = useTexts()
  const parts = folder === '' ? [] : folder.split('/')
  return (
    <nav className={styles['trail']} aria-label={texts('files.path')}>
      <ol>
        {['', ...parts].map((name, at) => {
          const isLast = at === parts.length
          const label = at === 0 ? texts('preview.archive.root') : name
          return (
            <li key={at} translate={at === 0 ? undefined : 'no'}>
              {at > 0 && <ChevronRight size={16} aria-hidden="true" />}
              {isLast ? (
                <span aria-current="location">{label}</span>
              ) : (
                <button type="button" onClick={() => onOpen(parts.slice(0, at).join('/'))}>
                  {label}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface RowsProps {
  readonly rows: readonly ArchiveRow[]
  readonly label: string
  readonly onPick: (row: ArchiveRow) => void
}

function Rows({ rows, label, onPick }: RowsProps) {
  const texts = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  const { first, end, height, shift, base } = useWindowing(ref, {
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    overscan: 8,
  })
  return (
    <div ref={ref} className={styles['scroll']} tabIndex={-1}>
      {rows.length === 0 && <p className={styles['empty']}>{texts('preview.archive.empty')}</p>}
      <ul className={styles['rows']} style={{ height }} aria-label={label}>
        {rows.slice(first, end).map((row, at) => (
          <li key={row.path} style={{ top: shift + (first + at - base) * ROW_HEIGHT }}>
            <button
              type="button"
              onClick={() => onPick(row)}
              title={row.isFolder ? row.name : texts('preview.archive.save', { name: row.name })}
            >
              {row.isFolder ? <Folder size={20} aria-hidden="true" /> : <File size={20} aria-hidden="true" />}
              <span className={styles['name']} translate="no">
                {row.name}
              </span>
              <span className={styles['size']}>{row.isFolder ? '-' : formatSize(row.size, texts.locale)}</span>
              <span className={styles['time']}>{row.time === undefined ? '-' : formatTime(row.time)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
