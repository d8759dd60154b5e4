import { formatMinute, formatSize, formatTimeExactly } from '../../../lib/formats.ts'
import { parentOf } from '../../../lib/paths.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type Column, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { fileIcon } from '../files/index.ts'
import type { RecycledItem } from './recycle-query.ts'
import styles from './recycle.module.css'

export interface RecycleColumnsOptions {
  readonly texts: Texts
  /** What the root of the place is called. */
  readonly rootName: string
  readonly keptDays: number
  /** Unix milliseconds. */
  readonly now: number
}

const DAY_S = 86_400

export function recycleColumns(options: RecycleColumnsOptions): ReadonlyArray<Column<RecycledItem>> {
  const { texts, rootName, keptDays, now } = options
  return [
    {
      id: 'name',
      header: texts('files.column.name'),
      narrow: 'title',
      cell: ({ name, file_type: type }) => (
        <span className={classNames(styles['name'], fileIcon(name, type === 'Folder'))}>
          <span translate="no" title={name}>
            {name}
          </span>
        </span>
      ),
    },
    {
      id: 'from',
      header: texts('recycle.column.from'),
      cell: ({ path }) => (
        <span className={styles['from']} title={parentOf(path)} translate="no">
          {parentOf(path) === '/' ? rootName : parentOf(path)}
        </span>
      ),
    },
    {
      id: 'size',
      header: texts('files.column.size'),
      isNumeric: true,
      width: '104px',
      cell: ({ size }) => formatSize(size, texts.locale),
    },
    {
      id: 'deleted',
      header: texts('recycle.column.deleted'),
      width: TIME_WIDTH,
      cell: ({ deletedAt }) => (
        <time dateTime={new Date(deletedAt * 1000).toISOString()} title={formatTimeExactly(deletedAt, texts.locale)}>
          {formatMinute(deletedAt)}
        </time>
      ),
    },
    {
      id: 'left',
      header: texts('recycle.column.left'),
      width: '120px',
      cell: ({ deletedAt }) => {
        const days = Math.max(0, Math.ceil(keptDays - (now / 1000 - deletedAt) / DAY_S))
        return texts('recycle.days-left', { days })
      },
    },
  ]
}
