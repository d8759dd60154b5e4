import { port } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

const TEXT_MAX = 255
const place = {
  /** Name or IP address. */
  address: z.string().trim().min(1).max(TEXT_MAX),
  port,
  /** Of the database on that server. */
  name: z.string().trim().min(1).max(64),
  account: z.string().trim().min(1).max(80),
}
const target = z.strictObject({ ...place, password: z.string().max(TEXT_MAX) })
export type DatabaseTarget = z.infer<typeof target>

/** `equal`: every table has as many rows as the source, with the same hash; `different` is a copy that nothing may switch to. */
export const DATABASE_COPY_STATES = ['running', 'equal', 'different', 'failed', 'canceled'] as const
export type DatabaseCopyState = (typeof DATABASE_COPY_STATES)[number]

const copiedTable = z.object({
  table: z.string(),
  copied: z.int(),
  total: z.int(),
  /** SHA-256 over the rows; '' until the comparison at the end. */
  sha256: z.string(),
  /** Whether both sides are equal; null until the comparison at the end. */
  equal: z.boolean().nullable(),
})
export type CopiedTableView = z.infer<typeof copiedTable>

/** What keeps the server from switching now; '' for nothing. */
export const SWITCH_OBSTACLES = ['', 'not-copied', 'not-equal', 'not-paused', 'no-restart'] as const
export type SwitchObstacle = (typeof SWITCH_OBSTACLES)[number]

const copy = z.object({
  /** Without the password. */
  target: z.object(place),
  state: z.enum(DATABASE_COPY_STATES),
  /** Why it failed, in English, as the log has it. */
  reason: z.string(),
  startedAt: z.int(),
  finishedAt: z.int().nullable(),
  tables: z.array(copiedTable),
})
export type DatabaseCopyView = z.infer<typeof copy>

const view = z.object({
  engine: z.enum(['SQLite', 'MySQL', 'MariaDB']),
  version: z.string(),
  bytes: z.int(),
  /** File or address, without the password. */
  place: z.string(),
  /** The configuration of the process names the database, so only the host can change it. */
  isConfigured: z.boolean(),
  copy: copy.nullable(),
  obstacle: z.enum(SWITCH_OBSTACLES),
  /** Why the last switch was not carried out; '' when it was. */
  switchFault: z.string(),
})
export type DatabaseView = z.infer<typeof view>

/** Whoever names the database names the super administrator. */
const move = { right: 'backup.restore' } as const
const refusals = [
  'DATABASE_UNREACHABLE',
  'DATABASE_PASSWORD_WRONG',
  'DATABASE_MISSING',
  'DATABASE_RIGHTS_MISSING',
  'DATABASE_NOT_EMPTY',
  'MYSQL_UNSUPPORTED',
  'MYSQL_CONNECTION_FAILED',
] as const

export const databaseRoutes = {
  view: defineRoute({
    method: 'GET',
    path: '/api/admin/database',
    summary: 'The database in use, and how a copy of it stands',
    access: { right: 'database.edit' },
    reply: view,
    errors: [],
  }),
  try: defineRoute({
    method: 'POST',
    path: '/api/admin/database/try',
    summary: 'Test an external MySQL or MariaDB: way, password, database, version, rights, and that it is empty',
    access: move,
    log: 'database.try',
    body: target,
    reply: z.object({ engine: z.enum(['MySQL', 'MariaDB']), version: z.string() }),
    errors: [...refusals, 'RATE_LIMITED'],
  }),
  copy: defineRoute({
    method: 'POST',
    path: '/api/admin/database/copy',
    summary: 'Copy the SQLite database there as a job that goes on where it stopped, and compare counts and hashes',
    access: move,
    log: 'database.copy',
    body: target,
    reply: z.object({}),
    errors: [...refusals, 'DATABASE_COPY_RUNNING', 'DATABASE_CONFIGURED', 'RATE_LIMITED'],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/admin/database/copy/cancel',
    summary: 'Stop a running copy; the next one to the same database goes on there',
    access: move,
    log: 'database.cancel',
    reply: z.object({}),
    errors: [],
  }),
  switch: defineRoute({
    method: 'POST',
    path: '/api/admin/database/switch',
    summary: 'Restart on the copy, after what was written since is brought over and every table compared again',
    access: move,
    log: 'database.switch',
    body: z.strictObject({ confirm: z.literal('switch') }),
    reply: z.object({}),
    errors: ['DATABASE_COPY_UNEQUAL', 'DATABASE_NOT_PAUSED', 'DATABASE_CONFIGURED', 'OPERATION_UNSUPPORTED'],
  }),
}
