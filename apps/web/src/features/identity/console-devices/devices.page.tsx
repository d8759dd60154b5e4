import { routes } from '@godwit/contract/table'
import type { AdminDevice } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { Laptop, LogOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatRate, formatTime } from '../../../lib/formats.ts'
import { isFailure } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { upgradeFailureFacts } from '../../../lib/upgrade-failure.ts'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { type ListSource, useRefresh } from '../../console-kit/list-source.ts'
import { useRight } from '../administration/index.ts'
import styles from './devices.module.css'

const DEVICES = 'devices'
const SHAPE = consoleShape({ filters: ['text'] })
/** As the contract bounds them. */
const DEVICES_PER_CALL = 1000

const source: ListSource<AdminDevice> = {
  key: DEVICES,
  load: (api, { page, pageSize, filters: { text } }, signal) =>
    api.call(
      routes.adminDevices.list,
      { query: { page, size: pageSize, text } },
      // A device is seen without anybody at this page.
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    ),
  refreshMs: 10_000,
}

/** Devices with the transfer client: whose, which version, when and from where they were seen. */
export function DevicesPage() {
  return useTextBundle('places') ? <Devices /> : null
}

function Devices() {
  const texts = useTexts()
  const canSignOut = useRight('sessions.end')
  const refresh = useRefresh(DEVICES)
  const [gone, setGone] = useState<AdminDevice>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const signOut = useSignOut()
  const rowActions: ReadonlyArray<Action<AdminDevice>> = [
    {
      name: 'sign-out-device',
      label: 'console-devices.sign-out',
      group: 'general',
      icon: LogOut,
      when: () => canSignOut,
      run: setGone,
    },
  ]
  return (
    <>
      <ListPage
        name="devices"
        title={texts('console-devices.title')}
        help={texts('console-devices.help')}
        source={source}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('console-devices.filter') }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        rowActions={rowActions}
        bulk={canSignOut ? [signOut] : []}
        isByIds
        empty={{
          icon: <Laptop size={28} />,
          title: texts('console-devices.empty.title'),
          text: texts('console-devices.empty.text'),
        }}
      />
      {gone !== undefined && (
        <BulkDialog
          action={signOut}
          choose={() => ({ ids: [gone.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setGone(undefined)}
        />
      )}
    </>
  )
}

function useSignOut(): BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  return {
    name: 'sign-out-devices',
    label: 'console-devices.sign-out',
    icon: LogOut,
    tone: 'danger',
    title: (count) => texts('console-devices.sign-out.title', { count }),
    text: () => texts('console-devices.sign-out.text'),
    verb: texts('console-devices.sign-out'),
    done: (count) => texts('console-devices.sign-out.done', { count }),
    async run(chosen) {
      const ids = 'ids' in chosen ? chosen.ids : []
      let changed = 0
      for (let at = 0; at < ids.length; at += DEVICES_PER_CALL) {
        const deviceIds = ids.slice(at, at + DEVICES_PER_CALL)
        try {
          changed += (await api.call(routes.adminDevices.signOut, { body: { deviceIds } })).ended
        } catch (error) {
          // All of them are signed out meanwhile.
          if (!isFailure(error, 'SESSION_NOT_FOUND')) throw error
        }
      }
      return { changed, failed: [] }
    },
  }
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminDevice>> {
  return [
    {
      id: 'name',
      header: texts('console-devices.name'),
      narrow: 'title',
      width: 'minmax(120px, 1.4fr)',
      text: ({ name }) => name,
      cell: ({ name }) => <span translate="no">{name}</span>,
    },
    {
      id: 'account',
      header: texts('users.account'),
      width: 'minmax(120px, 1fr)',
      text: ({ account }) => account,
      cell: ({ account }) => <span translate="no">{account}</span>,
    },
    runningColumn(texts),
    exactColumn('system', texts('console-devices.system'), ({ platform }) => platform, '88px'),
    exactColumn('version', texts('console-devices.version'), ({ version }) => version, '88px'),
    upgradeColumn(texts),
    exactColumn('address', texts('console-sessions.address'), ({ address }) => address),
    lastSeenColumn(texts),
    { ...timeColumn('created', texts('console-devices.created'), ({ createdAt }) => createdAt), isExtra: true },
  ]
}

type Pick<Value> = (device: AdminDevice) => Value

function exactColumn(id: string, header: string, pick: Pick<string>, width = '140px'): ListColumn<AdminDevice> {
  const text = (device: AdminDevice): string => pick(device) || '-'
  return { id, header, width, text, cell: (device) => <span translate="no">{text(device)}</span> }
}

/** What the client of a device transfers now, with the way to it. */
function runningColumn(texts: Texts): ListColumn<AdminDevice> {
  const header = texts('console-devices.running')
  const shown = ({ running: { count, transfers } }: AdminDevice): string => {
    const [first] = transfers
    return count === 1 && first !== undefined ? first.name : texts('console-devices.running.count', { count })
  }
  const text = (device: AdminDevice): string => (device.running.count === 0 ? '-' : shown(device))
  return {
    ...{ id: 'running', header, width: 'minmax(128px, 1.2fr)', text },
    cell: (device) => {
      const { count, bytesPerSecond, transfers } = device.running
      const [first] = transfers
      if (count === 0) return '-'
      return (
        <span className={styles['running']}>
          {first === undefined ? (
            <span>{text(device)}</span>
          ) : (
            <Link to="/admin/transfers" search={count === 1 ? { open: first.transferId } : { text: device.name }}>
              {count === 1 ? <span translate="no">{first.name}</span> : text(device)}
            </Link>
          )}
          <small>{formatRate(bytesPerSecond, texts.locale)}</small>
        </span>
      )
    },
  }
}

/** Why a client runs an older version than the site offers. */
function upgradeColumn(texts: Texts): ListColumn<AdminDevice> {
  const text = ({ upgradeFailure }: AdminDevice): string =>
    upgradeFailure === null ? '-' : texts('console-devices.upgrade.failed', upgradeFailureFacts(upgradeFailure, texts))
  return { id: 'upgrade', header: texts('console-devices.upgrade'), width: 'minmax(150px, 1.6fr)', text, cell: text }
}

function lastSeenColumn(texts: Texts): ListColumn<AdminDevice> {
  const text = ({ isConnected, lastSeenAt }: AdminDevice): string =>
    isConnected ? texts('console-devices.connected') : formatTime(lastSeenAt / 1000)
  return {
    ...{ id: 'lastSeen', header: texts('console-sessions.last-seen'), width: TIME_WIDTH, text },
    cell: (device) => (device.isConnected ? <Tag tone="good">{text(device)}</Tag> : text(device)),
  }
}

function timeColumn(id: string, header: string, pick: Pick<number>): ListColumn<AdminDevice> {
  const text = (device: AdminDevice): string => formatTime(pick(device) / 1000)
  return { id, header, width: TIME_WIDTH, text, cell: text }
}
