import { routes } from '@godwit/contract/table'
import type { SessionView } from '@godwit/contract'
import { useState } from 'react'
import type { Action } from '../../../../lib/actions.tsx'
import { formatTime } from '../../../../lib/formats.ts'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmAction } from '../../../../ui/confirm-action.tsx'
import { DataTable, type Column, TIME_WIDTH } from '../../../../ui/data-table/index.ts'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import { deviceName } from '../../../../lib/device-name.ts'
import { useSecurityRefresh, useSessions } from './security-query.ts'

/** Where this account is signed in; each place can be logged out, and all others at once. */
export function SessionsSection() {
  const texts = useTexts()
  const query = useSessions()
  const { endOne, endOthers } = useEnding()
  const rowActions: ReadonlyArray<Action<SessionView>> = [
    {
      name: 'end-session',
      label: 'security.sessions.end',
      group: 'general',
      when: ({ current }) => !current,
      run: endOne,
    },
  ]
  const [asks, setAsks] = useState(false)
  const hasOthers = query.data?.some(({ current }) => !current) ?? false
  return (
    <SectionCard
      title={texts('security.sessions')}
      lead={texts('security.sessions.lead')}
      action={
        hasOthers && (
          <Button kind="danger" onClick={() => setAsks(true)}>
            {texts('security.sessions.end-others')}
          </Button>
        )
      }
    >
      <DataTable
        label={texts('security.sessions')}
        columns={columnsOf(texts)}
        rows={query.data}
        error={query.error}
        onRetry={() => void query.refetch()}
        idOf={({ id }) => id}
        nameOf={({ userAgent }) => deviceName(userAgent, texts)}
        empty={null}
        rowActions={rowActions}
      />
      {asks && (
        <ConfirmAction
          title={texts('security.sessions.end-others.title')}
          text={texts('security.sessions.end-others.text')}
          submitLabel={texts('security.sessions.end-others')}
          onConfirm={endOthers}
          onClose={() => setAsks(false)}
        />
      )}
    </SectionCard>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<Column<SessionView>> {
  return [
    {
      id: 'device',
      header: texts('security.sessions.device'),
      narrow: 'title',
      cell: ({ userAgent, current }) => (
        <>
          <span title={userAgent} translate="no">
            {deviceName(userAgent, texts)}
          </span>
          {current && <Tag tone="good">{texts('security.sessions.current')}</Tag>}
        </>
      ),
    },
    {
      id: 'address',
      header: texts('security.address'),
      width: 'minmax(0, max-content)',
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
    {
      id: 'seen',
      header: texts('security.sessions.seen'),
      width: TIME_WIDTH,
      cell: ({ lastSeenAt }) => formatTime(lastSeenAt / 1000),
    },
    {
      id: 'since',
      header: texts('security.sessions.since'),
      width: TIME_WIDTH,
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
  ]
}

function useEnding() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useSecurityRefresh()
  const tried = async (work: () => Promise<string>): Promise<void> => {
    try {
      messages.notify('success', await work())
    } catch (error) {
      messages.fail(error, texts)
    }
    await refresh('sessions')
  }
  return {
    endOne: ({ id, userAgent }: SessionView) =>
      void tried(async () => {
        await api.call(routes.security.endSession, { body: { sessionId: id } })
        return texts('security.sessions.ended', { device: deviceName(userAgent, texts) })
      }),
    endOthers: () =>
      void tried(async () => {
        const { sessions } = await api.call(routes.security.endOtherSessions, { body: {} })
        return texts('security.sessions.others-ended', { count: sessions })
      }),
  }
}
