import { routes } from '@godwit/contract/table'
import type { SessionView } from '@godwit/contract'
import { Monitor } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../../lib/formats.ts'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmAction } from '../../../../ui/confirm-action.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { EntryList, Tag } from '../entry-list.tsx'
import { Loaded } from '../loaded.tsx'
import { deviceName } from './device-name.ts'
import { useSecurityRefresh, useSessions } from './security-query.ts'

/** Where this account is signed in; each place can be logged out, and all others at once. */
export function SessionsSection() {
  const texts = useTexts()
  const query = useSessions()
  const { endOne, endOthers } = useEnding()
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
      <Loaded query={query}>
        {(sessions) => (
          <EntryList
            label={texts('security.sessions')}
            entries={sessions.map((session) => entryOf(session, texts, endOne))}
          />
        )}
      </Loaded>
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

function entryOf(session: SessionView, texts: Texts, onEnd: (session: SessionView) => void) {
  const { id, current, address, userAgent, createdAt, lastSeenAt } = session
  const device = deviceName(userAgent, texts)
  return {
    id,
    icon: <Monitor size={20} />,
    title: (
      <>
        <span title={userAgent} translate="no">
          {device}
        </span>
        {current && <Tag tone="good">{texts('security.sessions.current')}</Tag>}
      </>
    ),
    facts: [
      <span key="address" translate="no">
        {address}
      </span>,
      texts('security.sessions.seen', { time: formatTime(lastSeenAt / 1000) }),
      texts('security.sessions.since', { time: formatTime(createdAt / 1000) }),
    ],
    ...(current
      ? {}
      : {
          actions: (
            <Button onClick={() => onEnd(session)} aria-label={texts('security.sessions.end-label', { device })}>
              {texts('security.sessions.end')}
            </Button>
          ),
        }),
  }
}

function useEnding() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useSecurityRefresh()
  const tried = async (work: () => Promise<string>): Promise<void> => {
    try {
      messages.tell('success', await work())
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
