import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { SYSLOG_REASONS } from './syslog-reasons.ts'

const log = z.object({
  log: z.enum(['operations', 'sign-ins']),
  /** Records that the collector does not have yet. */
  waiting: z.int(),
  /** What keeps the next one; null when all is well. */
  reason: z.enum(SYSLOG_REASONS).nullable(),
  /** The same in the words of the system. */
  error: z.string(),
  /** Unix milliseconds of the last delivery; null: none yet. */
  deliveredAt: z.int().nullable(),
})
export type SyslogLogState = z.infer<typeof log>

const state = z.object({
  /** Where messages go; null while none are sent. */
  collector: z.object({ transport: z.enum(['tls', 'tcp', 'udp']), host: z.string(), port: z.int() }).nullable(),
  logs: z.array(log),
})
export type SyslogStateReply = z.infer<typeof state>

export const adminSyslogRoutes = {
  state: defineRoute({
    method: 'GET',
    path: '/api/admin/syslog',
    summary: 'Where the logs are sent, how many records wait, and why',
    access: { right: 'settings.view' },
    reply: state,
    errors: [],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/admin/syslog/test',
    summary: 'Send one message to the collector of the settings as they are saved, and say how that went',
    access: { right: 'settings.edit' },
    log: 'syslog.test',
    reply: z.object({
      /** Null: the collector took it; over UDP, it has left. */
      reason: z.enum(SYSLOG_REASONS).nullable(),
      error: z.string(),
    }),
    errors: [],
  }),
}
