import type { ServerStatus } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Field, FormDialog } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { SITE_CHANGED } from '../../foundation/site/index.ts'
import { ConfigCard } from './config-card.tsx'

const KEY = 'server'
const LOOK_MS = 5_000

type Order = 'pause' | 'restart' | 'shutdown'

/** Pause, restart and shutdown, each with what it does to the people who are at work. */
export function ServerPage() {
  return useTextBundle('dashboard') ? <ServerControl /> : null
}

function ServerControl() {
  const texts = useTexts()
  const { api } = useServices()
  const [asked, setAsked] = useState<Order>()
  const query = useQuery({
    queryKey: ['console', KEY],
    queryFn: ({ signal }) => api.call(routes.serverControl.status, {}, { signal, quiet: true }),
    refetchInterval: LOOK_MS,
  })
  return (
    <LoadedPage title={texts('server.title')} query={query}>
      {(status) => (
        <PageFrame title={texts('server.title')} help={texts('server.help')} isNarrow>
          <StateCard status={status} onPause={() => setAsked('pause')} />
          <SectionCard
            title={texts('server.restart.section')}
            lead={texts('server.restart.lead')}
            action={
              <Button disabled={!status.canRestart} onClick={() => setAsked('restart')}>
                {texts('server.restart')}
              </Button>
            }
          >
            <Notice kind="info">
              {texts(status.canRestart ? `server.restart.risk.${status.supervisor}` : 'server.restart.unsupported')}
            </Notice>
          </SectionCard>
          <SectionCard
            title={texts('server.shutdown.section')}
            lead={texts('server.shutdown.lead')}
            action={
              <Button kind="danger" onClick={() => setAsked('shutdown')}>
                {texts('server.shutdown')}
              </Button>
            }
          >
            <Notice kind="warning">{texts(`server.shutdown.risk.${status.supervisor}`)}</Notice>
          </SectionCard>
          <ConfigCard />
          {asked !== undefined && <OrderDialog order={asked} status={status} onClose={() => setAsked(undefined)} />}
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function StateCard({ status, onPause }: { readonly status: ServerStatus; readonly onPause: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const { pausedAt, running } = status
  const resume = async (): Promise<void> => {
    await api.call(routes.serverControl.resume, {})
    messages.notify('success', texts('server.resumed'))
    dispatchEvent(new Event(SITE_CHANGED))
    void refresh()
  }
  return (
    <SectionCard
      title={texts('server.state')}
      action={
        pausedAt === null ? (
          <Button onClick={onPause}>{texts('server.pause')}</Button>
        ) : (
          <Button
            kind="solid"
            onClick={() => void resume().catch((error: unknown) => messages.notify('error', texts.failure(error)))}
          >
            {texts('server.resume')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { label: texts('server.state.label'), value: stateOf(texts, pausedAt) },
          { label: texts('server.running'), value: running },
        ]}
      />
    </SectionCard>
  )
}

function stateOf(texts: Texts, pausedAt: number | null): string {
  return pausedAt === null ? texts('server.open') : texts('server.paused-since', { time: formatTime(pausedAt / 1000) })
}

interface OrderDialogProps {
  readonly order: Order
  readonly status: ServerStatus
  readonly onClose: () => void
}

const DONE = { pause: 'server.paused', restart: 'server.restarting', shutdown: 'server.shut-down' } as const

function OrderDialog({ order, status: { running }, onClose }: OrderDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const send = async (): Promise<void> => {
    if (order === 'pause') await api.call(routes.serverControl.pause, {})
    else if (order === 'restart') await api.call(routes.serverControl.restart, { body: { confirm: order } })
    else await api.call(routes.serverControl.shutdown, { body: { confirm: order } })
  }
  const host = location.hostname
  const confirm: Field<'confirm'> = {
    kind: 'text',
    label: texts('server.confirm', { host }),
    isRequired: true,
    rule: (value) => (value.trim().toLowerCase() === host ? undefined : texts('server.confirm.other', { host })),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  }
  return (
    <FormDialog<'confirm'>
      title={texts(`server.${order}.title`)}
      text={texts(`server.${order}.text`, { running })}
      submitLabel={texts(`server.${order}`)}
      isDangerous={order !== 'pause'}
      schema={{ confirm: { ...confirm, isHidden: () => order === 'pause' } }}
      initial={{ confirm: '' }}
      onClose={onClose}
      onSend={async () => {
        await send()
        messages.notify(order === 'pause' ? 'success' : 'info', texts(DONE[order]))
        if (order === 'pause') dispatchEvent(new Event(SITE_CHANGED))
        void refresh()
      }}
    />
  )
}
