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
