import { routes } from '@godwit/contract/table'
import type { AdminSession } from '@godwit/contract'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { deviceName } from '../../../lib/device-name.ts'
import { formatTime } from '../../../lib/formats.ts'
import { type Api, isFailure } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { accountColumns } from '../member-lists/index.ts'
import { useRight } from '../administration/index.ts'
import { SESSIONS, sessionsSource } from './administrators-source.ts'

const SHAPE = consoleShape({ filters: ['text'] })

/** Everyone who is signed in, and where. */
export function SessionsPage() {
  const texts = useTexts()
  const canEnd = useRight('sessions.end')
  const refresh = useRefresh(SESSIONS)
  const [gone, setGone] = useState<AdminSession>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const end = useEnd()
  const rowActions: ReadonlyArray<Action<AdminSession>> = [
    {
      name: 'end-session',
      label: 'console-sessions.end',
      group: 'general',
      icon: LogOut,
      when: ({ current }) => canEnd && !current,
      run: setGone,
    },
  ]
  return (
    <>
      <ListPage
        name="sessions"
        title={texts('console-sessions.title')}
        help={texts('console-sessions.help')}
        source={sessionsSource}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('console-sessions.filter') }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        rowActions={rowActions}
        bulk={canEnd ? [end] : []}
        isByIds
        empty={{
          icon: <MonitorSmartphone size={28} />,
          title: texts('console-sessions.title'),
          text: texts('console-sessions.help'),
        }}
      />
      {gone !== undefined && (
        <BulkDialog
          action={end}
          choose={() => ({ ids: [gone.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setGone(undefined)}
        />
      )}
    </>
  )
}

function useEnd(): BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  return {
    name: 'end-sessions',
    label: 'console-sessions.end',
    icon: LogOut,
    title: (count) => texts('console-sessions.end.title', { count }),
    text: () => texts('console-sessions.end.text'),
    verb: texts('console-sessions.end'),
    done: (count) => texts('console-sessions.end.done', { count }),
    async run(chosen) {
      const ids = 'ids' in chosen ? [...chosen.ids] : []
      let changed = 0
      for (let at = 0; at < ids.length; at += SESSIONS_PER_CALL) {
        changed += await endSome(api, ids.slice(at, at + SESSIONS_PER_CALL))
      }
      return { changed, failed: [] }
    },
  }
}

/** As the contract bounds them. */
const SESSIONS_PER_CALL = 1000

/** @returns how many were still open */
async function endSome(api: Api, sessionIds: string[]): Promise<number> {
  try {
    return (await api.call(routes.adminSessions.end, { body: { sessionIds } })).ended
  } catch (error) {
    // All of them have ended by themselves meanwhile.
    if (isFailure(error, 'SESSION_NOT_FOUND')) return 0
    throw error
  }
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminSession>> {
  return [
    {
      id: 'account',
      header: texts('users.account'),
      narrow: 'title',
      width: 'minmax(150px, 1.2fr)',
      text: ({ account }) => account,
      cell: ({ account, current }) => (
        <>
          <span translate="no">{account}</span>
          {current && <Tag tone="good">{texts('console-sessions.current')}</Tag>}
        </>
      ),
    },
    accountColumns(texts).name,
    {
      id: 'device',
      header: texts('console-sessions.device'),
      width: 'minmax(150px, 1.2fr)',
      text: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => <span title={userAgent}>{deviceName(userAgent, texts)}</span>,
    },
    {
      id: 'address',
      header: texts('console-sessions.address'),
      width: '150px',
      text: ({ address }) => address,
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
    {
      id: 'lastSeen',
      header: texts('console-sessions.last-seen'),
      width: TIME_WIDTH,
      text: ({ lastSeenAt }) => formatTime(lastSeenAt / 1000),
      cell: ({ lastSeenAt }) => formatTime(lastSeenAt / 1000),
    },
    {
      id: 'created',
      header: texts('console-sessions.since'),
      width: TIME_WIDTH,
      text: ({ createdAt }) => formatTime(createdAt / 1000),
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
  ]
}
