import type { FileItem } from '@godwit/contract'
import { File, Folder } from 'lucide-react'
import { formatExactBytes, formatSize, formatTime } from '../../../lib/formats.ts'
import { isSecondClick } from '../../../lib/second-click.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { type Column, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import styles from './visits.module.css'

export function isFolder({ file_type: type }: Pick<FileItem, 'file_type'>): boolean {
  return type !== 'File'
}

interface EntryColumns {
  readonly texts: Texts
  /** Whose entries these are. */
  readonly folder: string
  readonly open: (item: FileItem) => void
  /** Which of them open; all by default. */
  readonly opens?: (item: FileItem) => boolean
}

/** Name, size and time. */
export function entryColumns({
  texts,
  folder,
  open,
  opens = () => true,
}: EntryColumns): ReadonlyArray<Column<FileItem>> {
  return [
    {
      id: 'name',
      header: texts('files.column.name'),
      isSortable: true,
      narrow: 'title',
      cell: (item) => {
        const Icon = isFolder(item) ? Folder : File
        const name = (
          <>
            <Icon size={18} aria-hidden="true" data-folder={isFolder(item) || undefined} />
            <span translate="no">{item.name}</span>
          </>
        )
        return opens(item) ? (
          <button
            type="button"
            className={styles['entry']}
            onClick={(event) => isSecondClick(event, folder) || open(item)}
          >
            {name}
          </button>
        ) : (
          <span className={styles['entry']}>{name}</span>
        )
      },
    },
    {
      id: 'size',
      header: texts('files.column.size'),
      isSortable: true,
      isNumeric: true,
      width: '112px',
      cell: (item) =>
        isFolder(item) ? (
          '-'
        ) : (
          <span title={formatExactBytes(item.size, texts.locale)}>{formatSize(item.size, texts.locale)}</span>
        ),
    },
    {
      id: 'time',
      narrow: 'none',
      header: texts('files.column.time'),
      isSortable: true,
      width: TIME_WIDTH,
      cell: ({ time }) => <span data-local>{formatTime(time)}</span>,
    },
  ]
}
