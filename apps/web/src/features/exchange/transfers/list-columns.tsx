import type { TransferState, TransferView } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { ArrowDownToLine, ArrowUpFromLine } from 'lucide-react'
import { formatMinute, formatRate, formatSize, formatTimeExactly } from '../../../lib/formats.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { limitText } from '../../../lib/transfer-limit.ts'
import type { Column } from '../../../ui/data-table/index.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { failureText } from '../../../lib/transfer-failure.ts'
import { arrivalText } from './arrival-text.ts'
import { deviceText, isLive } from './list-rules.ts'
import styles from './transfers.module.css'

const TONES: Readonly<Partial<Record<TransferState, 'good' | 'bad'>>> = {
  running: 'good',
  completed: 'good',
  partial: 'bad',
  failed: 'bad',
}

export function listColumns(texts: Texts): ReadonlyArray<Column<TransferView>> {
  return [...whatColumns(texts), ...whereColumns(texts)]
}

function whatColumns(texts: Texts): ReadonlyArray<Column<TransferView>> {
  return [
    {
      id: 'name',
      header: texts('transfers.column.name'),
      isSortable: true,
      narrow: 'title',
      width: 'minmax(128px, 1.6fr)',
      cell: (transfer) => <Name transfer={transfer} texts={texts} />,
    },
    {
      id: 'state',
      header: texts('transfers.column.state'),
      isSortable: true,
      width: 'minmax(96px, 0.8fr)',
      cell: ({ state, error }) => (
        <span className={styles['stack']}>
          <Tag tone={TONES[state] ?? 'plain'}>{texts(`transfers.state.${state}`)}</Tag>
          {(state === 'failed' || state === 'partial') && error !== '' && (
            <small className={styles['note']}>{failureText(error, texts)}</small>
          )}
        </span>
      ),
    },
    {
      id: 'progress',
      header: texts('transfers.column.progress'),
      isSortable: true,
      width: 'minmax(120px, 1fr)',
      cell: (transfer) => <Progress transfer={transfer} texts={texts} />,
    },
  ]
}

function whereColumns(texts: Texts): ReadonlyArray<Column<TransferView>> {
  return [
    {
      id: 'speed',
      header: texts('transfers.column.speed'),
      isSortable: true,
      width: 'minmax(112px, 1fr)',
      cell: (transfer) => <Speed transfer={transfer} texts={texts} />,
    },
    {
      id: 'device',
      header: texts('transfers.column.device'),
      isSortable: true,
      width: 'minmax(80px, 0.8fr)',
      cell: (transfer) => (
        <span className={styles['stack']} title={transfer.device}>
          <span translate="no">{deviceText(transfer) || '-'}</span>
          <small className={styles['note']}>{texts(`transfers.door.${transfer.door}`)}</small>
        </span>
      ),
    },
    {
      id: 'created',
      header: texts('transfers.column.created'),
      isSortable: true,
      width: 'minmax(96px, 152px)',
      narrow: 'none',
      cell: ({ createdAt }) => (
        <time dateTime={new Date(createdAt).toISOString()} title={formatTimeExactly(createdAt / 1000, texts.locale)}>
          {formatMinute(createdAt / 1000)}
        </time>
      ),
    },
  ]
}

interface CellProps {
  readonly transfer: TransferView
  readonly texts: Texts
}

/** What it is, and the folder of the server that it goes to or comes from. */
function Name({ transfer: { direction, name, folder, groupId, files }, texts }: CellProps) {
  const Icon = direction === 'upload' ? ArrowUpFromLine : ArrowDownToLine
  const to = groupId === 0 ? '/personal' : `/group/detail/${groupId}`
  const isRoot = groupId === 0 && (folder === '/' || folder === '')
  const where = texts(`transfers.${direction}-where`, { folder: isRoot ? texts('files.root') : folder || '/' })
  return (
    <span className={styles['named']}>
      <Icon size={18} aria-hidden="true" />
      <span className={styles['stack']}>
        <span className={styles['name']} translate="no" title={name}>
          {name}
        </span>
        <small className={styles['note']}>
          {files > 1 && `${texts('transfers.files', { count: files })} · `}
          <Link to={to} search={folder === '/' || folder === '' ? {} : { path: folder }}>
            {where}
          </Link>
        </small>
      </span>
    </span>
  )
}

function Progress({ transfer, texts }: CellProps) {
  const { name, state, bytes, bytesDone, files, filesDone } = transfer
  const size = (value: number): string => formatSize(value, texts.locale)
  if (!isLive(transfer)) {
    const done =
      state === 'completed' ? size(bytes) : texts('transfers.of', { done: size(bytesDone), all: size(bytes) })
    return (
      <span className={styles['stack']}>
        <span className={styles['figure']}>{done}</span>
        {transfer.lateMs > 0 && <Arrival transfer={transfer} texts={texts} />}
      </span>
    )
  }
  return (
    <span className={styles['progress']}>
      <ProgressBar
        label={texts('transfers.progress', { name })}
        value={bytes === 0 ? 0 : bytesDone / bytes}
        tone={state === 'running' ? 'active' : 'paused'}
      />
      <small className={styles['note']}>
        {texts('transfers.of', { done: size(bytesDone), all: size(bytes) })}
        {files > 1 && ` · ${texts('transfers.files-of', { done: filesDone, all: files })}`}
      </small>
      <Arrival transfer={transfer} texts={texts} />
    </span>
  )
}

/** By when it is to arrive, or by how much it comes too late. */
function Arrival({ transfer, texts }: CellProps) {
  const { deadline, lateMs } = transfer
  if (deadline === null) return null
  return (
    <small
      className={lateMs > 0 ? styles['late'] : styles['note']}
      title={formatTimeExactly(deadline / 1000, texts.locale)}
    >
      {arrivalText(transfer, texts)}
    </small>
  )
}

/** The rate and by which way; what limits it, with the numbers that the client measured. */
function Speed({ transfer, texts }: CellProps) {
  const { state, bytesPerSecond, path } = transfer
  if (state !== 'running') return <span className={styles['note']}>{'-'}</span>
  const rate = formatRate(bytesPerSecond, texts.locale)
  const limit = limitText(transfer, texts)
  return (
    <span className={styles['stack']}>
      <span className={styles['figure']}>
        {path === '' ? rate : texts('transfers.path', { rate, path: path.toUpperCase() })}
      </span>
      {limit !== undefined && <small className={styles['note']}>{limit}</small>}
    </span>
  )
}
