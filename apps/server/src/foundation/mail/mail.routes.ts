import { mailRoutes } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { Mailer } from './mailer.ts'
import { saveSender, senderInfo, wantedServer, type SendersDeps } from './senders.service.ts'

export interface MailEndpointsDeps {
  readonly senders: SendersDeps
  readonly mailer: Mailer
  /** Asked of the identity layer, which this layer may not name. */
  readonly accountOf: (userId: string) => Promise<{ readonly email: string; readonly mayOwnSender: boolean }>
  readonly tests: CallLimit
}

export function mailEndpoints(deps: MailEndpointsDeps): Endpoint[] {
  return [
    endpoint(mailRoutes.ownInfo, async (ctx) => {
      await requireOwnSender(deps, ctx)
      return senderInfo(deps.senders, ctx.principal.id)
    }),
    endpoint(mailRoutes.ownUpdate, async (ctx, { body }) => {
      await requireOwnSender(deps, ctx)
      await saveSender(deps.senders, ctx.principal.id, body)
      return {}
    }),
    endpoint(mailRoutes.ownTest, async (ctx, { body }) => {
      const { email } = await requireOwnSender(deps, ctx)
      // Each test is a connection to a place that the caller chose.
      await deps.tests.take(ctx.principal.id)
      const server = await wantedServer(deps.senders, ctx.principal.id, body)
      if (email === '') throw new AppError('EMAIL_MISSING')
      return deps.mailer.test(server, email, { locale: ctx.locale })
    }),
  ]
}

/** @throws AppError PERMISSION_DENIED for accounts that send by the system's sender */
async function requireOwnSender(deps: MailEndpointsDeps, ctx: UserCtx) {
  const account = await deps.accountOf(ctx.principal.id)
  if (!account.mayOwnSender) throw new AppError('PERMISSION_DENIED', { reason: 'system-sender' })
  return account
}
