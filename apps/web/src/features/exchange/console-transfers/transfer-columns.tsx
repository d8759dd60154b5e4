import type { AdminTransfer, TransferState } from '@godwit/contract'
import { deviceOf } from '../../../lib/device.ts'
import { formatRate, formatSize, formatTime } from '../../../lib/formats.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { ListColumn } from '../../console-kit/list-page.tsx'
import { arrivalText } from '../transfers/index.ts'
import styles from './console-transfers.module.css'
import type { TransferListName } from './transfers-source.ts'

const TONES: Readonly<Partial<Record<TransferState, 'good' | 'bad'>>> = {
  running: 'good',
  completed: 'good',
  partial: 'bad',
  failed: 'bad',
}

export function StateTag({ state, texts }: { readonly state: TransferState; readonly texts: Texts }) {
  return <Tag tone={TONES[state] ?? 'plain'}>{texts(`transfers.state.${state}`)}</Tag>
}

export function rateText({ bytesPerSecond }: AdminTransfer, texts: Texts): string {
  return bytesPerSecond === 0 ? '-' : formatRate(bytesPerSecond, texts.locale)
}

/** UDP or TCP; a dash while nothing is connected. */
export function pathText({ path }: AdminTransfer): string {
  return path === '' ? '-' : path.toUpperCase()
}

/** The name of a client’s device; the browser and the system of others, or what a program calls itself. */
export function deviceText({ device, door }: Pick<AdminTransfer, 'device' | 'door'>): string {
  const found = door === 'transfer' ? undefined : deviceOf(device)
  return found === undefined ? device : `${found.browser}, ${found.system}`
}

function exactly(text: string) {
  return <span translate="no">{text === '' ? '-' : text}</span>
}

export function columnsOf(texts: Texts, list: TransferListName): ReadonlyArray<ListColumn<AdminTransfer>> {
  const first = firstColumns(texts, list)
  const rest = list === 'live' ? liveColumns(texts) : pastColumns(texts)
  return [...first, ...rest, ...sourceColumns(texts, list)]
}

function firstColumns(texts: Texts, list: TransferListName): ReadonlyArray<ListColumn<AdminTransfer>> {
  return [
    {
      id: 'name',
      header: texts('console-transfers.name'),
      narrow: 'title',
      width: 'minmax(160px, 2fr)',
      text: ({ name }) => name,
      cell: ({ name }) => exactly(name),
    },
    {
      id: 'account',
      header: texts('users.account'),
      width: 'minmax(92px, 1fr)',
      text: ({ account }) => account,
      cell: ({ account }) => exactly(account),
    },
    {
      id: 'direction',
      header: texts('console-transfers.direction'),
      width: '88px',
      text: ({ direction }) => texts(`transfers.${direction}`),
      cell: ({ direction }) => texts(`transfers.${direction}`),
    },
    {
      id: 'door',
      header: texts('console-transfers.door'),
      width: '88px',
      // The device says it as well, and a running transfer has more to show.
      isExtra: list === 'live',
      text: ({ door }) => texts(`transfers.door.${door}`),
      cell: ({ door }) => texts(`transfers.door.${door}`),
    },
    {
      id: 'state',
      header: texts('console-transfers.state'),
      width: '108px',
      text: ({ state }) => texts(`transfers.state.${state}`),
      cell: ({ state }) => <StateTag state={state} texts={texts} />,
    },
  ]
}

function liveColumns(texts: Texts): ReadonlyArray<ListColumn<AdminTransfer>> {
  return [
    {
      id: 'progress',
      header: texts('console-transfers.progress'),
      width: 'minmax(150px, 1.2fr)',
      text: ({ bytes, bytesDone }) => `${bytesDone} / ${bytes}`,
      cell: ({ name, state, bytes, bytesDone, deadline, lateMs }) => (
        <span className={styles['progress']}>
          <ProgressBar
            label={texts('transfers.progress', { name })}
            value={bytes === 0 ? 0 : bytesDone / bytes}
            tone={state === 'running' ? 'active' : 'paused'}
          />
          {texts('console-transfers.of', {
            done: formatSize(bytesDone, texts.locale),
            all: formatSize(bytes, texts.locale),
          })}
          {lateMs > 0 && <span className={styles['late']}>{arrivalText({ state, deadline, lateMs }, texts)}</span>}
        </span>
      ),
    },
    {
      id: 'rate',
      header: texts('console-transfers.rate'),
      isNumeric: true,
      width: '100px',
      text: ({ bytesPerSecond }) => String(bytesPerSecond),
      cell: (transfer) => rateText(transfer, texts),
    },
    {
      id: 'path',
      header: texts('console-transfers.path'),
      width: '64px',
      text: pathText,
      cell: (transfer) => exactly(pathText(transfer)),
    },
  ]
}

function pastColumns(texts: Texts): ReadonlyArray<ListColumn<AdminTransfer>> {
  return [
    {
      id: 'files',
      header: texts('console-transfers.files'),
      isNumeric: true,
      width: '100px',
      text: ({ files, filesDone }) => `${filesDone} / ${files}`,
      cell: ({ files, filesDone }) => texts('console-transfers.of', { done: String(filesDone), all: String(files) }),
    },
    {
      id: 'size',
      header: texts('console-transfers.size'),
      isNumeric: true,
      width: '110px',
      text: ({ bytes }) => String(bytes),
      cell: ({ bytes }) => formatSize(bytes, texts.locale),
    },
    {
      id: 'finished',
      header: texts('console-transfers.finished'),
      width: TIME_WIDTH,
      text: ({ finishedAt }) => formatTime(finishedAt / 1000),
      cell: ({ finishedAt }) => formatTime(finishedAt / 1000),
    },
  ]
}

function sourceColumns(texts: Texts, list: TransferListName): ReadonlyArray<ListColumn<AdminTransfer>> {
  return [
    {
      id: 'device',
      header: texts('console-transfers.device'),
      width: 'minmax(100px, 1fr)',
      isExtra: list === 'past',
      text: deviceText,
      cell: (transfer) => <span title={transfer.device}>{exactly(deviceText(transfer))}</span>,
    },
    {
      id: 'address',
      header: texts('console-sessions.address'),
      width: '130px',
      isExtra: list === 'live',
      text: ({ address }) => address,
      cell: ({ address }) => exactly(address),
    },
  ]
}
