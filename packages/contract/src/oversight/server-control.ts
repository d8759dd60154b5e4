import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

const status = z.object({
  /** Unix milliseconds; null while the server takes everything. */
  pausedAt: z.int().nullable(),
  /** Transfers of accounts that move bytes now. */
  running: z.int(),
  /** What watches over the process that answers, as far as it can be seen. */
  supervisor: z.enum(['systemd', 'container', 'none']),
  /** False on systems where a process cannot start its program anew. */
  canRestart: z.boolean(),
})
export type ServerStatus = z.infer<typeof status>

const finding = z.object({
  check: z.string(),
  /** In the language of the request, as the two texts below. */
  title: z.string(),
  state: z.enum(['ok', 'warning', 'problem']),
  code: z.string(),
  message: z.string(),
  /** What mends it, as a command or a short instruction. */
  fix: z.string().optional(),
  /** Who can mend it. */
  who: z.enum(['host', 'console', 'nobody']),
})
export type DoctorFinding = z.infer<typeof finding>

const configKey = z.object({
  /** The variable that sets it. */
  variable: z.string(),
  /** As text; stars stand in for a secret. */
  value: z.string(),
  source: z.enum(['default', 'file', 'environment', 'flag']),
})
export type ConfigKeyInForce = z.infer<typeof configKey>

const control = { right: 'server.control' } as const
const ordered = z.object({ running: z.int() })

export const serverControlRoutes = {
  status: defineRoute({
    method: 'GET',
    path: '/api/admin/server',
    summary: 'Whether the server is paused, and what a stop would interrupt',
    access: control,
    reply: status,
    errors: [],
  }),
  config: defineRoute({
    method: 'GET',
    path: '/api/admin/server/config',
    summary: 'What the configuration of the host decides, by this process; secrets are masked',
    access: control,
    reply: z.object({ keys: z.array(configKey) }),
    errors: [],
  }),
  doctor: defineRoute({
    method: 'GET',
    path: '/api/admin/server/doctor',
    summary: 'Look for what would keep the server from working, each with what mends it; takes 10 seconds at most',
    access: control,
    reply: z.object({ findings: z.array(finding) }),
    errors: ['RATE_LIMITED'],
  }),
  probe: defineRoute({
    method: 'POST',
    path: '/api/admin/server/probe',
    summary: 'What of a request arrives through the proxies',
    access: control,
    raw: 'request',
    reply: z.object({
      bytes: z.int(),
      /** As the server takes it, after the proxies it trusts. */
      address: z.string(),
      /** The connection, or a proxy on the way, says HTTPS. */
      isSecure: z.boolean(),
      /** A proxy named the caller, and is not trusted to. */
      isIgnored: z.boolean(),
    }),
    errors: ['BODY_TOO_LARGE'],
  }),
  pace: defineRoute({
    method: 'GET',
    path: '/api/admin/server/pace',
    summary:
      'Two bytes, the second of them a second and a half after the first: whoever gets both at once is behind a buffer',
    access: control,
    raw: 'reply',
    reply: z.unknown(),
    errors: [],
  }),
  pause: defineRoute({
    method: 'POST',
    path: '/api/admin/server/pause',
    summary: 'Refuse new sign-ins, those of administrators excepted, and new transfers; what runs goes on',
    access: control,
    log: 'server.pause',
    reply: status,
    errors: [],
  }),
  resume: defineRoute({
    method: 'POST',
    path: '/api/admin/server/resume',
    summary: 'Take sign-ins and transfers again',
    access: control,
    log: 'server.resume',
    reply: status,
    errors: [],
  }),
  restart: defineRoute({
    method: 'POST',
    path: '/api/admin/server/restart',
    summary: 'Start the program of every node anew, one after another; transfers resume afterwards',
    access: control,
    log: 'server.restart',
    body: z.strictObject({ confirm: z.literal('restart') }),
    reply: ordered,
    errors: ['OPERATION_UNSUPPORTED'],
  }),
  shutdown: defineRoute({
    method: 'POST',
    path: '/api/admin/server/shutdown',
    summary: 'End every node; only the host can start them again',
    access: control,
    log: 'server.shutdown',
    body: z.strictObject({ confirm: z.literal('shutdown') }),
    reply: ordered,
    errors: [],
  }),
}
export type ServerProbe = z.infer<(typeof serverControlRoutes)['probe']['reply']>
