import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { listQuery, listReply } from './console-lists.ts'
import { SIGN_IN_METHODS, SIGN_IN_RESULTS } from './security.ts'

const state = z.record(z.string(), z.unknown()).nullable()

const operation = z.object({
  /** Counts up without gaps. */
  seq: z.int(),
  at: z.int(),
  actorId: z.string(),
  /** '' for the server itself. */
  actor: z.string(),
  door: z.string(),
  address: z.string(),
  userAgent: z.string(),
  requestId: z.string(),
  operation: z.string(),
  targetKind: z.string(),
  targetId: z.string(),
  target: z.string(),
  /** `ok`, or the name of the error. */
  result: z.string(),
  /** The fields that changed, as they were and as they are; secrets show as `***`. */
  before: state,
  after: state,
})
export type OperationLogEntry = z.infer<typeof operation>

const signIn = z.object({
  id: z.string(),
  at: z.int(),
  userId: z.string(),
  account: z.string(),
  name: z.string(),
  address: z.string(),
  userAgent: z.string(),
  method: z.enum(SIGN_IN_METHODS),
  result: z.enum(SIGN_IN_RESULTS),
})
export type SignInLogEntry = z.infer<typeof signIn>

const preview = z.object({
  id: z.string(),
  /** When it was opened, Unix milliseconds. */
  at: z.int(),
  /** From then until it was closed, or seen last. */
  durationMs: z.int(),
  /** It is looked at now. */
  isOpen: z.boolean(),
  /** As its owner sees it. */
  path: z.string(),
  spaceId: z.int(),
  groupId: z.int(),
  /** '' for guests. */
  userId: z.string(),
  /** Account; of a guest the proven address or what they said of themselves, '' when nothing is known. */
  viewer: z.string(),
  /** What the link is called by which a guest looked; '' for accounts. */
  link: z.string(),
  address: z.string(),
})
export type PreviewLogEntry = z.infer<typeof preview>

const session = z.object({
  id: z.string(),
  userId: z.string(),
  account: z.string(),
  name: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  /** The session that makes this call. */
  current: z.boolean(),
})
export type AdminSession = z.infer<typeof session>

const period = {
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
}
const operationFilter = {
  ...period,
  /** Part of an actor's or a target's name. */
  text: listQuery.text,
  actorId: z.string().max(64).optional(),
  operation: z.string().max(64).optional(),
  targetKind: z.string().max(32).optional(),
  targetId: z.string().max(64).optional(),
  result: z.enum(['ok', 'failed']).optional(),
}
export type OperationLogFilter = z.infer<z.ZodObject<typeof operationFilter>>

export const LOG_FORMATS = ['csv', 'jsonl'] as const

export const adminLogRoutes = {
  operations: defineRoute({
    method: 'GET',
    path: '/api/admin/log/operations',
    summary: 'What administrators changed, the newest first; with the scope `own` what the caller changed',
    access: { right: 'log.view' },
    query: z.object({ page: listQuery.page, size: listQuery.size, ...operationFilter }),
    reply: listReply(operation),
    errors: [],
  }),
  signIns: defineRoute({
    method: 'GET',
    path: '/api/admin/log/sign-ins',
    summary: 'Sign-ins of the last 90 days to known accounts, the newest first; with the scope `own` the caller’s',
    access: { right: 'log.view' },
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size, text: listQuery.text, ...period },
      userId: z.string().max(64).optional(),
      result: z.enum(SIGN_IN_RESULTS).optional(),
    }),
    reply: listReply(signIn),
    errors: [],
  }),
  previews: defineRoute({
    method: 'GET',
    path: '/api/admin/log/previews',
    summary:
      'Files that were looked at in the last 90 days, by accounts and guests, the newest first; with the scope `own` the caller’s',
    access: { right: 'log.view' },
    query: z.object({
      /** `text`: part of a path, a viewer or a link. */
      ...{ page: listQuery.page, size: listQuery.size, text: listQuery.text, ...period },
    }),
    reply: listReply(preview),
    errors: [],
  }),
  exportOperations: defineRoute({
    method: 'GET',
    path: '/api/admin/log/operations/export',
    summary: 'The operation log as a file; JSON lines hold the hash chain and can be verified elsewhere',
    access: { right: 'log.export' },
    log: 'log.export',
    query: z.object({ format: z.enum(LOG_FORMATS).default('csv'), ...operationFilter }),
    reply: z.unknown(),
    raw: 'reply',
    errors: [],
  }),
}

export const adminSessionRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/sessions',
    summary: 'Everyone’s open sessions, the one seen last first',
    access: { right: 'sessions.view' },
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size, text: listQuery.text },
      userId: z.string().max(64).optional(),
    }),
    reply: listReply(session),
    errors: [],
  }),
  end: defineRoute({
    method: 'POST',
    path: '/api/admin/sessions/end',
    summary:
      'Sign sessions out; their pages are notified. Sessions of administrators end by the super administrator alone',
    access: { right: 'sessions.end' },
    log: 'session.end',
    body: z.strictObject({ sessionIds: z.array(z.string().max(64)).min(1).max(1000) }),
    reply: z.object({ ended: z.int() }),
    errors: ['SESSION_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
}
