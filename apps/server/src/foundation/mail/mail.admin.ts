import { adminMailRoutes, type SystemMailSender } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { loggedEndpoint, type OperationLogDeps } from '../operation-log/index.ts'
import type { MailEndpointsDeps } from './mail.routes.ts'
import { saveSender, senderInfo, SYSTEM, wantedServer, type SendersDeps } from './senders.service.ts'

/** The sender of the system, for administrators. */
export function adminMailEndpoints(deps: MailEndpointsDeps, log: OperationLogDeps): Endpoint[] {
  const { senders, mailer, tests, accountOf } = deps
  return [
    endpoint(adminMailRoutes.info, () => systemSender(senders)),
    loggedEndpoint(log, adminMailRoutes.update, async (_ctx, { body }, record) => {
      const before = await senderInfo(senders, SYSTEM)
      const { emailPassword, ...after } = body
      const states = {
        before: { ...before, emailPassword: '' },
        after: { ...after, newPassword: emailPassword !== '' },
      }
      await saveSender(senders, SYSTEM, body, (tx) =>
        record(tx, { kind: 'mail', id: 'system', name: body.emailAccount, ...states }),
      )
      return {}
    }),
    loggedEndpoint(log, adminMailRoutes.test, async (ctx, { body }) => {
      await tests.take(ctx.principal.id)
      const server = await wantedServer(senders, SYSTEM, body)
      const { email } = await accountOf(ctx.principal.id)
      return mailer.test(server, email || server.account, { locale: ctx.locale })
    }),
  ]
}

/** What the configuration names is shown as it is, and can only be changed there. */
async function systemSender(senders: SendersDeps): Promise<SystemMailSender> {
  const { configured } = senders
  const stored = await senderInfo(senders, SYSTEM)
  if (configured === undefined) return { ...stored, isConfigured: false }
  return {
    ...stored,
    ...{ emailFromName: configured.fromName, emailAccount: configured.account, emailSmtpHost: configured.host },
    ...{ emailSmtpPort: configured.port, emailEncryptType: configured.encryption },
    ...{ emailPasswordSet: configured.password !== '', configured: true, isConfigured: true },
  }
}
