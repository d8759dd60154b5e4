import { routes } from '@godwit/contract/table'
import type { SyslogLogState, SyslogReason, SyslogStateReply } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { NotLoaded } from '../../console-kit/not-loaded.tsx'
import { useRight } from '../../identity/administration/index.ts'
import styles from './settings.module.css'

const KEY = ['console', 'syslog']
const REFRESH_MS = 5_000

/** How the collector of the logs does: what waits, why, and a message to try it with. */
export function SyslogState() {
  const texts = useTexts()
  const { api } = useServices()
  const mayTest = useRight('settings.edit')
  const query = useQuery({
    queryKey: KEY,
    refetchInterval: REFRESH_MS,
    // It changes by itself, so looking again is no activity of the person.
    queryFn: ({ signal }): Promise<SyslogStateReply> => api.call(routes.adminSyslog.state, {}, { signal, quiet: true }),
  })
  const { data } = query
  return (
    <section className={styles['card']} aria-labelledby="syslog-state">
      <h2 className={styles['subtitle']} id="syslog-state">
        {texts('syslog.title')}
      </h2>
      {data === undefined ? <NotLoaded query={query} /> : <Facts facts={factsOf(data, texts)} />}
      {mayTest && data !== undefined && data.collector !== null && (
        <SyslogTest key={`${data.collector.transport} ${data.collector.host} ${data.collector.port}`} />
      )}
    </section>
  )
}

function factsOf({ collector, logs }: SyslogStateReply, texts: Texts) {
  if (collector === null) return [{ label: texts('syslog.collector'), value: texts('syslog.none') }]
  const { transport, host, port } = collector
  const to = texts('syslog.to', { address: `${host}:${port}`, transport: transport.toUpperCase() })
  return [
    { label: texts('syslog.collector'), value: <span translate="no">{to}</span> },
    { label: texts('syslog.state'), value: texts(connectionOf(logs)) },
    ...logs.map((log) => ({ label: texts(`syslog.log.${log.log}`), value: <LogState log={log} /> })),
  ]
}

function connectionOf(logs: readonly SyslogLogState[]) {
  if (logs.some(({ reason }) => reason !== null)) return 'syslog.state.failing'
  return logs.some(({ deliveredAt }) => deliveredAt !== null) ? 'syslog.state.connected' : 'syslog.state.nothing'
}

function LogState({ log: { waiting, reason, error, deliveredAt } }: { readonly log: SyslogLogState }) {
  const texts = useTexts()
  return (
    <div className={styles['log']}>
      <p>{texts('syslog.waiting', { count: waiting })}</p>
      <p className={styles['place']}>
        {deliveredAt === null
          ? texts('syslog.delivered.never')
          : texts('syslog.delivered', { time: formatTime(deliveredAt / 1000) })}
      </p>
      {reason !== null && <Fault reason={reason} error={error} />}
    </div>
  )
}

/** The reason in words; where there are none for it, what the system said. */
function Fault({ reason, error }: { readonly reason: SyslogReason; readonly error: string }) {
  const texts = useTexts()
  return (
    <Notice kind="warning">
      {texts(`syslog.reason.${reason}`)}
      {reason === 'other' && (
        <>
          {' '}
          <span translate="no">{error}</span>
        </>
      )}
    </Notice>
  )
}

interface Outcome {
  readonly reason: SyslogReason | null
  readonly error: string
}

function SyslogTest() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setOutcome(undefined)
    setBusy(true)
    try {
      setOutcome(await api.call(routes.adminSyslog.test, {}))
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles['test']}>
      <Button disabled={isBusy} onClick={() => void send()}>
        {texts(isBusy ? 'syslog.test.busy' : 'syslog.test')}
      </Button>
      {outcome?.reason === null && <Notice kind="success">{texts('syslog.test.sent')}</Notice>}
      {outcome !== undefined && outcome.reason !== null && <Fault reason={outcome.reason} error={outcome.error} />}
    </div>
  )
}
