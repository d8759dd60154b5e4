import { adminLogRoutes, adminSessionRoutes } from '@godwit/contract'
import {
  loggedEndpoint,
  operationLogStore,
  recordExport,
  type OperationLogDeps,
} from '../../foundation/operation-log/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { requireAccount } from '../../identity/principals/index.ts'
import { endpoint, type Endpoint, type RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConsoleDeps } from './console.types.ts'
import { sendBatches } from './downloads.ts'
import { jsonLine, LOG_CSV_HEAD, operationLine } from './log-export.ts'
import { endSessions, listOperations, listPreviews, listSessions, listSignIns, withinScope } from './log.service.ts'

export interface LogEndpointsDeps extends ConsoleDeps {
  readonly sessions: Pick<Sessions, 'end'>
}

export function logEndpoints(deps: LogEndpointsDeps, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminLogRoutes.operations, (ctx, { query }) => listOperations(deps, ctx, query)),
    endpoint(adminLogRoutes.signIns, (ctx, { query }) => listSignIns(deps, ctx, query)),
    endpoint(adminLogRoutes.previews, (ctx, { query }) => listPreviews(deps, ctx, query)),
    endpoint(adminSessionRoutes.list, (ctx, { query }) => listSessions(deps, ctx, query)),
    loggedEndpoint(log, adminSessionRoutes.end, async (ctx, { body }, record) => ({
      ended: await endSessions(deps, { ctx, record }, body.sessionIds),
    })),
  ]
}

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

export function logExport({ db }: ConsoleDeps, log: OperationLogDeps): RawEndpoint {
  const spec = adminLogRoutes.exportOperations
  return {
    spec,
    async handle(ctx, { res, query }) {
      const wanted = spec.query.safeParse(Object.fromEntries(query))
      if (!wanted.success)
        throw new AppError('PARAMETER_INVALID', { field: wanted.error.issues[0]?.path.join('.') ?? '' })
      const { format, ...filter } = wanted.data
      const userCtx = { ...ctx, principal: requireAccount(ctx) }
      const scoped = withinScope(userCtx, filter)
      const thing = { kind: 'log', id: '', name: '', after: wanted.data }
      await recordExport(log, userCtx, { operation: spec.log, thing })
      const isCsv = format === 'csv'
      await sendBatches(ctx, res, {
        name: `operations.${format}`,
        type: TYPES[format],
        head: isCsv ? LOG_CSV_HEAD : '',
        batches: operationLogStore.batches(db, scoped),
        line: isCsv ? operationLine : jsonLine,
      })
    },
  }
}
