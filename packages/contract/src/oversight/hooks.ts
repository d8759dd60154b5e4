import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { listQuery, listReply, revision } from '../identity/console-lists.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { EVENT_STATES } from './event-states.ts'
import { HOOK_DELIVERY_STATES, HOOK_EVENTS, HOOK_KINDS, HOOK_LIMITS, HOOK_REASONS } from './hook-limits.ts'

/** Addresses that are called when something happens. Times are Unix milliseconds. */

const content = {
  name: z.string().trim().min(1).max(HOOK_LIMITS.nameMax, inputCode('NAME_TOO_LONG')),
  kind: z.enum(HOOK_KINDS).default('webhook'),
  /** Of a webhook: `https:` or `http:`, without account and fragment. */
  url: z.string().trim().max(HOOK_LIMITS.urlMax).default(''),
  /** Of a program: the name of its file in the folder of the configuration (`hooks.folder`). */
  program: z.string().trim().max(LIMITS.textInputMax).default(''),
  /** Its arguments, apart by spaces, with quotes and placeholders such as `{event}`; no shell reads them. */
  commandLine: z.string().trim().max(HOOK_LIMITS.commandLineMax).default(''),
  /** How long it may take before it is ended. */
  waitSeconds: z.int().min(1).max(HOOK_LIMITS.waitSecondsMax).default(30),
  events: z.array(z.enum(HOOK_EVENTS)).min(1).max(HOOK_EVENTS.length),
  state: z.enum(EVENT_STATES).default('activated'),
  remark: z.string().trim().max(LIMITS.remarkMax, inputCode('REMARK_TOO_LONG')).default(''),
}
const wanted = z.strictObject(content)
export type WantedHook = z.infer<typeof wanted>

const hook = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(HOOK_KINDS),
  url: z.string(),
  program: z.string(),
  commandLine: z.string(),
  waitSeconds: z.int(),
  events: z.array(z.enum(HOOK_EVENTS)),
  state: z.enum(EVENT_STATES),
  remark: z.string(),
  createdAt: z.int(),
  /** Since when every try failed; null while it works. */
  failingSince: z.int().nullable(),
  /** The server switched it off, because it failed for days. */
  isGivenUp: z.boolean(),
  /** Deliveries that wait, and that were given up. */
  waiting: z.int(),
  failed: z.int(),
  revision,
})
export type Hook = z.infer<typeof hook>

const outcome = {
  /** Of the answer, or the exit code of a program; null without one. */
  status: z.int().nullable(),
  reason: z.enum(HOOK_REASONS).nullable(),
  /** Its first bytes as text. */
  answer: z.string(),
}

const delivery = z.object({
  /** The `webhook-id` of the call, the same at every try. */
  id: z.string(),
  event: z.string(),
  state: z.enum(HOOK_DELIVERY_STATES),
  attempts: z.int(),
  createdAt: z.int(),
  /** The last try. */
  triedAt: z.int().nullable(),
  /** The next one, while it waits. */
  nextAt: z.int().nullable(),
  ...outcome,
  /** What is sent. */
  body: z.string(),
})
export type HookDelivery = z.infer<typeof delivery>

const tested = z.object({ isDelivered: z.boolean(), ms: z.int(), ...outcome })
export type TestedHook = z.infer<typeof tested>

const access = { right: 'hooks.edit' } as const
const params = z.object({ hookId: z.string().max(32) })
const { hookId } = params.shape
/** Shown once. */
const secret = z.string()

export const hookRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/hooks',
    summary: 'Webhooks and programs by name, with how they stand',
    access,
    reply: z.object({
      rows: z.array(hook),
      total: z.int(),
      /** The programs that an event hook may run; null where the configuration names no folder for them. */
      programs: z.array(z.string()).nullable(),
    }),
    errors: [],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks',
    summary: 'Add a webhook; its secret is in the answer and is never shown again',
    access,
    feature: 'eventNotifications',
    log: 'hook.add',
    body: wanted,
    reply: z.object({ hookId: z.string(), secret }),
    errors: ['EVENT_NAME_DUPLICATE', 'HOOK_ADDRESS_REFUSED', 'HOOK_PROGRAM_REFUSED', 'HOOK_LIMIT'],
  }),
  edit: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks/:hookId',
    summary: 'Change a webhook; its secret stays',
    access,
    feature: 'eventNotifications',
    log: 'hook.edit',
    params,
    body: wanted.extend({ revision }),
    reply: z.object({}),
    errors: [
      'EVENT_NOT_FOUND',
      'EVENT_NAME_DUPLICATE',
      'HOOK_ADDRESS_REFUSED',
      'HOOK_PROGRAM_REFUSED',
      'EDIT_CONFLICT',
    ],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks/remove',
    summary: 'Remove a webhook with its log; what waits is not sent',
    access,
    log: 'hook.remove',
    body: z.strictObject({ hookId }),
    reply: z.object({}),
    errors: ['EVENT_NOT_FOUND'],
  }),
  renewSecret: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks/:hookId/secret',
    summary: 'Make a new secret, which holds at once',
    access,
    feature: 'eventNotifications',
    log: 'hook.secret',
    params,
    reply: z.object({ secret }),
    errors: ['EVENT_NOT_FOUND'],
  }),
  tryOut: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks/:hookId/test',
    summary: 'Send the event `hook.test` once, now, and say what came back',
    access,
    feature: 'eventNotifications',
    log: 'hook.test',
    params,
    reply: tested,
    errors: ['EVENT_NOT_FOUND', 'RATE_LIMITED'],
  }),
  deliveries: defineRoute({
    method: 'GET',
    path: '/api/admin/hooks/:hookId/deliveries',
    summary: 'What was sent or waits, the newest first; kept for 30 days',
    access,
    params,
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size },
      state: z.enum(HOOK_DELIVERY_STATES).optional(),
    }),
    reply: listReply(delivery),
    errors: ['EVENT_NOT_FOUND'],
  }),
  replay: defineRoute({
    method: 'POST',
    path: '/api/admin/hooks/:hookId/replay',
    summary: 'Send deliveries again under their ids: these, or all that were given up',
    access,
    feature: 'eventNotifications',
    log: 'hook.replay',
    params,
    body: z.strictObject({ deliveryIds: z.array(z.string().max(32)).min(1).max(1000).optional() }),
    reply: z.object({ count: z.int() }),
    errors: ['EVENT_NOT_FOUND'],
  }),
}
