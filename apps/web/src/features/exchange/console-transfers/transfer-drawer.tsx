import type { AdminTransfer, TransferFile } from '@godwit/contract'
import { formatDuration, formatRate, formatSize, formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { failureText } from '../../../lib/transfer-failure.ts'
import { limitText } from '../../../lib/transfer-limit.ts'
import { Button } from '../../../ui/button.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { ObjectDrawer } from '../../console-kit/object-drawer.tsx'
import { arrivalText } from '../transfers/index.ts'
import styles from './console-transfers.module.css'
import { deviceText, pathText, rateText, StateTag } from './transfer-columns.tsx'
import { isLive, useTransfer } from './transfers-source.ts'

export interface TransferDrawerProps {
  readonly id: string
  readonly canControl: boolean
  readonly onLimit: (transfer: AdminTransfer) => void
  readonly onClose: () => void
}

/** One transfer beside the list: who, from where, how fast and why not faster, and the files that failed. */
export function TransferDrawer({ id, canControl, onLimit, onClose }: TransferDrawerProps) {
  const texts = useTexts()
  const query = useTransfer(id)
  return (
    <ObjectDrawer
      title={query.data?.transfer.name ?? texts('console-transfers.one')}
      query={query}
      onClose={onClose}
      renderFoot={({ transfer }) =>
        canControl &&
        isLive(transfer) &&
        transfer.door === 'transfer' && (
          <Button onClick={() => onLimit(transfer)}>{texts('console-transfers.limit')}</Button>
        )
      }
    >
      {({ transfer, files }) => (
        <>
          <Facts title={texts('console-transfers.facts.who')} facts={sourceFacts(transfer, texts)} />
          <Facts title={texts('console-transfers.facts.progress')} facts={progressFacts(transfer, texts)} />
          <Facts title={texts('console-transfers.facts.time')} facts={timeFacts(transfer, texts)} />
          <FailedFiles files={files} total={transfer.failures} />
        </>
      )}
    </ObjectDrawer>
  )
}

function sourceFacts(transfer: AdminTransfer, texts: Texts): readonly Fact[] {
  const { account, userName, direction, door, folder, paths, address, transferId } = transfer
  return [
    { label: texts('users.account'), value: exact(account) },
    { label: texts('users.name'), value: exact(userName) },
    { label: texts('console-transfers.direction'), value: texts(`transfers.${direction}`) },
    { label: texts('console-transfers.door'), value: texts(`transfers.door.${door}`) },
    { label: texts('console-transfers.folder'), value: exact(folder) },
    ...(paths.length === 0 ? [] : [{ label: texts('console-transfers.paths'), value: exact(paths.join('\n')) }]),
    { label: texts('console-transfers.device'), value: exact(deviceText(transfer)) },
    { label: texts('console-sessions.address'), value: exact(address) },
    { label: texts('console-transfers.id'), value: exact(transferId) },
  ]
}

function progressFacts(transfer: AdminTransfer, texts: Texts): readonly Fact[] {
  const { state, files, filesDone, bytes, bytesDone, bytesMoved } = transfer
  const { locale } = texts
  const limit = limitText(transfer, texts)
  const error = transfer.error === '' ? [] : [transfer.error]
  return [
    { label: texts('console-transfers.state'), value: <StateTag state={state} texts={texts} /> },
    ...error.map((code) => ({ label: texts('console-transfers.error'), value: failureText(code, texts) })),
    {
      label: texts('console-transfers.files'),
      value: texts('console-transfers.of', { done: String(filesDone), all: String(files) }),
    },
    {
      label: texts('console-transfers.size'),
      value: texts('console-transfers.of', { done: formatSize(bytesDone, locale), all: formatSize(bytes, locale) }),
    },
    { label: texts('console-transfers.moved'), value: formatSize(bytesMoved, locale) },
    { label: texts('console-transfers.rate'), value: rateText(transfer, texts) },
    { label: texts('console-transfers.path'), value: exact(pathText(transfer)) },
    ...(limit === undefined ? [] : [{ label: texts('console-transfers.bottleneck'), value: limit }]),
    ...(transfer.door === 'transfer' ? limitFacts(transfer, texts) : []),
  ]
}

function limitFacts(transfer: AdminTransfer, texts: Texts): readonly Fact[] {
  const { ceilingMbps, rateMbps, priority, deadline, lateMs } = transfer
  const by = deadline === null ? '-' : formatTime(deadline / 1000)
  return [
    { label: texts('transfers.limit'), value: mbpsText(ceilingMbps, texts) },
    { label: texts('console-transfers.own-rate'), value: mbpsText(rateMbps, texts) },
    { label: texts('transfers.priority'), value: texts(`transfers.priority.${priority}`) },
    { label: texts('transfers.deadline'), value: lateMs === 0 ? by : `${by} (${arrivalText(transfer, texts)})` },
  ]
}

function timeFacts(
  { createdAt, startedAt, finishedAt, updatedAt, bytesMoved }: AdminTransfer,
  texts: Texts,
): readonly Fact[] {
  const shown = (at: number): string => (at === 0 ? '-' : formatTime(at / 1000))
  const seconds = startedAt === 0 ? 0 : ((finishedAt || updatedAt) - startedAt) / 1000
  return [
    { label: texts('console-transfers.created'), value: shown(createdAt) },
    { label: texts('console-transfers.started'), value: shown(startedAt) },
    { label: texts('console-transfers.finished'), value: shown(finishedAt) },
    { label: texts('console-transfers.duration'), value: seconds > 0 ? formatDuration(seconds, texts.locale) : '-' },
    {
      label: texts('console-transfers.average'),
      value: seconds > 0 ? formatRate(bytesMoved / seconds, texts.locale) : '-',
    },
  ]
}

function mbpsText(mbps: number, texts: Texts): string {
  return mbps === 0 ? texts('console-transfers.no-limit') : texts('console-transfers.mbps', { mbps: String(mbps) })
}

function exact(text: string) {
  if (text === '') return '-'
  return (
    <span className={styles['exact']} translate="no">
      {text}
    </span>
  )
}

function FailedFiles({ files, total }: { readonly files: readonly TransferFile[]; readonly total: number }) {
  const texts = useTexts()
  if (files.length === 0) return null
  return (
    <section className={styles['failed']}>
      <h3>{texts('console-transfers.failed', { count: Math.max(total, files.length) })}</h3>
      <ul>
        {files.map(({ path, code }) => (
          <li key={path}>
            <span translate="no">{path}</span>
            <p>{failureText(code, texts)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
