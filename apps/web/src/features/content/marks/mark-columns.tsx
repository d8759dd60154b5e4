import { Link } from '@tanstack/react-router'
import { formatMinute, formatSize, formatTimeExactly } from '../../../lib/formats.ts'
import { parentOf } from '../../../lib/paths.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type Column, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { fileIcon } from '../files/index.ts'
import { addressOf } from '../search/index.ts'
import type { MarkedItem, MarkKind } from './marks-query.ts'
import styles from './marks.module.css'

export function markColumns(kind: MarkKind, texts: Texts): ReadonlyArray<Column<MarkedItem>> {
  return [
    {
      id: 'name',
      header: texts('files.column.name'),
      narrow: 'title',
      cell: (item) => (
        <span className={classNames(styles['name'], fileIcon(item.name, item.file_type !== 'File'))}>
          <Link {...addressOf(item, 'item')} translate="no" title={item.name}>
            {item.name}
          </Link>
        </span>
      ),
    },
    {
      id: 'where',
      header: texts('marks.column.where'),
      cell: (item) => (
        <span className={styles['where']} title={parentOf(item.path)}>
          {whereOf(item, texts)}
        </span>
      ),
    },
    {
      id: 'size',
      header: texts('files.column.size'),
      isNumeric: true,
      width: '104px',
      cell: ({ size, file_type: type }) => (type === 'File' ? formatSize(size, texts.locale) : '-'),
    },
    ...(kind === 'recent' ? [didColumn(texts)] : []),
    {
      id: 'at',
      header: texts(kind === 'recent' ? 'marks.column.when' : 'marks.column.added'),
      width: TIME_WIDTH,
      cell: ({ at }) => (
        <time dateTime={new Date(at * 1000).toISOString()} title={formatTimeExactly(at, texts.locale)}>
          {formatMinute(at)}
        </time>
      ),
    },
  ]
}

function didColumn(texts: Texts): Column<MarkedItem> {
  return {
    id: 'did',
    header: texts('marks.column.did'),
    width: '128px',
    cell: ({ did }) => (did === null ? '' : texts(`marks.did.${did}`)),
  }
}

function whereOf({ path, groupId, groupName }: MarkedItem, texts: Texts): string {
  const root = groupId === 0 ? texts('files.root') : groupName
  const folder = parentOf(path)
  return folder === '/' ? root : root + folder
}
