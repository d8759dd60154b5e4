import { adminSyslogRoutes, type SyslogStateReply } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { faultOf } from './syslog.reasons.ts'
import { collectorOf, reasonOf, syslogState, tryCollector, type SyslogDeps } from './syslog.service.ts'

/** How the collector does, for administrators. */
export function syslogEndpoints(deps: SyslogDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminSyslogRoutes.state, () => presentState(deps)),
    loggedEndpoint(log, adminSyslogRoutes.test, async (_ctx, _input, record) => {
      const collector = await collectorOf(deps)
      const name = collector === undefined ? '' : `${collector.host}:${collector.port}`
      const outcome = collector === undefined ? { reason: 'off' as const, error: '' } : await outcomeOf(deps, collector)
      await inTransaction(deps.db, (tx) =>
        record(tx, { kind: 'setting', id: 'syslog', name, after: { reason: outcome.reason ?? 'sent' } }),
      )
      return outcome
    }),
  ]
}

async function outcomeOf(deps: SyslogDeps, collector: Parameters<typeof tryCollector>[1]) {
  try {
    await tryCollector(deps, collector, new AbortController().signal)
    return { reason: null, error: '' }
  } catch (thrown) {
    return { reason: faultOf(thrown), error: reasonOf(thrown) }
  }
}

async function presentState(deps: SyslogDeps): Promise<SyslogStateReply> {
  const collector = await collectorOf(deps)
  if (collector === undefined) return { collector: null, logs: [] }
  const { transport, host, port } = collector
  const logs = (await syslogState(deps)).map(({ log, waiting, error, reason, deliveredAt }) => ({
    ...{ log, waiting, error, deliveredAt },
    reason: reason === '' ? null : reason,
  }))
  return { collector: { transport, host, port }, logs }
}
