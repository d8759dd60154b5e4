import type { LinkRecord } from '@godwit/contract'
import { formatMinute } from '../../../lib/formats.ts'
import { joinPath } from '../../../lib/paths.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { Column } from '../../../ui/data-table/index.ts'
import { LinkState } from './link-state.tsx'
import { calledPerson } from './link-form.ts'
import { daysLeft } from './days-left.ts'
import { Tag } from '../../../ui/tag.tsx'
import styles from './links.module.css'

/** What the server calls all files of a person or a group. */
const ROOT = '/'

/** People and groups that a list names; more would push the others out of sight. */
const NAMES_SHOWN = 3

export interface LinkColumnsOptions {
  readonly kind: 'download' | 'upload'
  readonly texts: Texts
  /** Unix milliseconds. */
  readonly now: number
  readonly onOpen: (record: LinkRecord) => void
}

/** The lists of share and invite links. */
export function linkColumns({ kind, texts, now, onOpen }: LinkColumnsOptions): ReadonlyArray<Column<LinkRecord>> {
  return [
    {
      id: 'name',
      header: texts('links.column.name'),
      isSortable: true,
      narrow: 'title',
      cell: (record) => (
        <button type="button" className={styles['name']} onClick={() => onOpen(record)}>
          <span translate="no">{sharedNames(record, texts)}</span>
          <small translate="no">{placeOf(record, texts)}</small>
          {record.audience.kind !== 'anyone' && <small>{audienceText(record, texts)}</small>}
        </button>
      ),
    },
    {
      id: 'status',
      header: texts('links.status'),
      isSortable: true,
      width: '120px',
      cell: (record) => <LinkState record={record} />,
    },
    {
      id: 'uses',
      header: texts(kind === 'download' ? 'links.column.downloads' : 'links.column.uploads'),
      isNumeric: true,
      width: '96px',
      cell: ({ downloadCount, uploadCount, downloadLimit }) =>
        kind === 'upload'
          ? uploadCount.toLocaleString(texts.locale)
          : `${downloadCount.toLocaleString(texts.locale)}${downloadLimit > 0 ? ` / ${downloadLimit}` : ''}`,
    },
    {
      id: 'created',
      header: texts('links.column.created'),
      isSortable: true,
      width: '156px',
      narrow: 'none',
      cell: ({ shareCreateTime }) => formatMinute(shareCreateTime),
    },
    {
      id: 'expires',
      header: texts('links.column.expires'),
      isSortable: true,
      width: '160px',
      cell: (record) => <Expires record={record} texts={texts} now={now} />,
    },
  ]
}

export function sharedNames(record: LinkRecord, texts: Texts): string {
  const name = firstName(record, texts)
  const others = record.filename.length - 1
  return others > 0 ? texts('links.names', { name, count: others }) : name
}

/** Of the first that is shared. All files of a person or a group have a name of their own. */
export function firstName({ filename, shareServerPath, groupName }: LinkRecord, texts: Texts): string {
  const [first = shareServerPath] = filename
  if (first !== ROOT) return first
  return groupName === '' ? texts('menu.personal') : groupName
}

/** Whom a link for people of the site is for. */
export function audienceText({ audience }: LinkRecord, texts: Texts): string {
  if (audience.kind !== 'named') return texts(`links.audience.${audience.kind}`)
  const names = [...audience.groups.map(({ name }) => name), ...audience.users.map(calledPerson)]
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length > NAMES_SHOWN ? texts('links.names', { name: shown, count: names.length - NAMES_SHOWN }) : shown
}

/** Where it is: the space or group, and the folder. */
export function placeOf(record: LinkRecord, texts: Texts): string {
  const { spaceId, spaceName, groupName, shareServerPath, filename } = record
  const [only] = filename
  const isOne = filename.length === 1 && only !== undefined && only !== ROOT
  const path = isOne ? joinPath(shareServerPath, only) : shareServerPath
  return [groupName === '' ? nameOfSpace({ id: spaceId, name: spaceName }, texts) : groupName, path]
    .filter((part) => part !== '')
    .join(' · ')
}

interface ExpiresProps {
  readonly record: LinkRecord
  readonly texts: Texts
  readonly now: number
}

export function Expires({ record: { shareExpireTime }, texts, now }: ExpiresProps) {
  if (shareExpireTime === 0) return texts('links.expiry.never')
  const days = daysLeft(shareExpireTime, now)
  return (
    <span className={styles['expires']}>
      {formatMinute(shareExpireTime)}
      {days !== undefined && <Tag>{texts('links.days-left', { days })}</Tag>}
    </span>
  )
}
