import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { CONSOLE_RIGHTS, CONSOLE_SCOPES, CONSOLE_STANDINGS, SUPER_RIGHTS } from './console-rights.ts'

const consoleMe = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  standing: z.enum(CONSOLE_STANDINGS),
  /** Null for the super administrator, and for administrators of groups or spaces alone. */
  role: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Rights over the whole site. */
  rights: z.array(z.enum([...CONSOLE_RIGHTS, ...SUPER_RIGHTS])),
  auditScope: z.enum(CONSOLE_SCOPES),
  folderScope: z.enum(CONSOLE_SCOPES),
  /** Spaces and groups this account administers by itself, besides `rights`. */
  spaceIds: z.array(z.int()),
  groupIds: z.array(z.int()),
})
export type ConsoleMe = z.infer<typeof consoleMe>

const serverClock = z.object({
  /** Milliseconds since 1970. */
  now: z.int(),
  /** Minutes that the server's time of day is ahead of UTC now. */
  offsetMinutes: z.int(),
})
export type ServerClock = z.infer<typeof serverClock>

export const adminRoutes = {
  clock: defineRoute({
    method: 'GET',
    path: '/api/admin/clock',
    summary: 'What time it is at the server, by whose clock periods begin and end',
    access: { right: 'console.open' },
    reply: serverClock,
    errors: [],
  }),
  me: defineRoute({
    method: 'GET',
    path: '/api/admin/me',
    summary: 'The signed-in administrator, with everything this console may show',
    access: { right: 'console.open' },
    reply: consoleMe,
    errors: [],
  }),
}
