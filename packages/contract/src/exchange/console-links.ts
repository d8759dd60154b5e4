import { z } from 'zod'
import { linkUse } from './link-use.ts'
import { listQuery, listReply } from '../identity/console-lists.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { LINK_AUDIENCES, LINK_BLOCKS, LINK_STATUS } from './link-states.ts'

/** Everybody's links as administrators see them: all but password and device. Times are Unix milliseconds. */

export const LINK_SORTS = ['name', 'created', 'expires', 'status', 'uses'] as const
export const LINK_KINDS = ['share', 'invite'] as const
export const LINK_STATES = Object.keys(LINK_STATUS) as ReadonlyArray<keyof typeof LINK_STATUS>
/** Links in one call. */
export const LINKS_PER_CALL = 10_000
/** Names that a row has of what it shares. */
export const LINK_NAMES_SHOWN = 10

export const LINK_CHANGES = [
  'created',
  'edited',
  'canceled',
  'enabled',
  'unbound',
  'removed',
  'expired',
  'lost',
  'revived',
] as const
/** What its owner, an administrator, time, or the fate of what it shares did to a link. */
export type LinkChange = (typeof LINK_CHANGES)[number]

const state = z.enum(['normal', 'expired', 'canceled'])

const adminLink = z.object({
  id: z.string(),
  /** A path without a host while the installation has no public address. */
  address: z.string(),
  kind: z.enum(LINK_KINDS),
  owner: z.object({ id: z.string(), account: z.string(), name: z.string() }),
  state,
  /** Why guests are kept out of a link whose state is normal. */
  blockedBy: z.enum(LINK_BLOCKS).nullable(),
  spaceId: z.int(),
  space: z.string(),
  /** '' for personal files. */
  group: z.string(),
  folder: z.string(),
  /** The first of what is shared. */
  names: z.array(z.string()),
  /** Of how many. */
  count: z.int(),
  /** Of these, how many are gone. */
  missing: z.int(),
  hasPassword: z.boolean(),
  needEmail: z.boolean(),
  /** Whoever has the address, people of the site by name, or everybody who is signed in. */
  audience: z.enum(LINK_AUDIENCES),
  /** E-mail addresses that it was mailed to. */
  recipientCount: z.int(),
  bindSwitch: z.boolean(),
  /** Whether a device has come first. */
  isBound: z.boolean(),
  allowDownload: z.boolean(),
  /** 0: never. */
  expiresAt: z.int(),
  /** 0: at once. */
  notBefore: z.int(),
  createdAt: z.int(),
  downloads: z.int(),
  /** 0: no limit. */
  downloadLimit: z.int(),
  uploads: z.int(),
})
export type AdminLink = z.infer<typeof adminLink>

const adminLinkDetail = adminLink.extend({
  department: z.string(),
  description: z.string(),
  /** Addresses that the link was mailed to. */
  recipients: z.array(z.string()),
  notify: z.boolean(),
  /** Guests who are in now. */
  visits: z.int(),
  /** The newest first. */
  history: z.array(
    z.object({
      change: z.enum(LINK_CHANGES),
      at: z.int(),
      /** '' for the server itself. */
      account: z.string(),
    }),
  ),
})
export type AdminLinkDetail = z.infer<typeof adminLinkDetail>

const adminLinkUse = linkUse.omit({ time: true }).extend({ id: z.string(), at: z.int() })
export type AdminLinkUse = z.infer<typeof adminLinkUse>

const filter = {
  kind: z.enum(LINK_KINDS),
  /** Part of a name or of the folder. */
  text: listQuery.text,
  /** Part of the owner's account. */
  owner: z.string().trim().max(LIMITS.textInputMax).optional(),
  state: state.optional(),
  /** Of the owner, with those below it. */
  departmentId: z.coerce.number().int().min(1).optional(),
}
export type AdminLinkFilter = z.infer<z.ZodObject<typeof filter>>

const params = z.object({ linkId: z.string().max(64) })

/** Which links a call is about: these, or all that a filter fits. */
const chosen = z.union([
  z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(LINKS_PER_CALL) }),
  z.strictObject({ filter: z.strictObject(filter) }),
])
export type ChosenLinks = z.infer<typeof chosen>

const bulkReply = z.object({
  /** Links that were, or would be, changed; the others are like that already. */
  changed: z.int(),
  unchanged: z.int(),
  /** Their owners. */
  owners: z.int(),
  /** Guests who are in now, and would be sent out. */
  visits: z.int(),
  /** Those left as they were, with the error that kept each. */
  failed: z.array(z.object({ id: z.string(), code: z.int(), message: z.string() })),
})

const change = {
  method: 'POST',
  access: { right: 'links.disable' },
  body: z.strictObject({ chosen }),
  reply: bulkReply,
  errors: [],
} as const

export const adminLinkRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/links',
    summary:
      'Share or invite links of everybody; with the folder scope `own` those of the caller and their spaces and groups',
    access: { right: 'links.view' },
    query: z.object({ ...listQuery, ...filter, sort: z.enum(LINK_SORTS).default('created') }),
    reply: listReply(adminLink),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/links/:linkId',
    summary: 'One link with its history',
    access: { right: 'links.view' },
    params,
    reply: z.object({ link: adminLinkDetail }),
    errors: ['LINK_NOT_FOUND'],
  }),
  uses: defineRoute({
    method: 'GET',
    path: '/api/admin/links/:linkId/uses',
    summary: 'Who downloaded or uploaded what by a link, the newest first',
    access: { right: 'links.view' },
    params,
    query: z.object({ page: listQuery.page, size: listQuery.size }),
    reply: listReply(adminLinkUse),
    errors: ['LINK_NOT_FOUND'],
  }),
  tryOut: defineRoute({
    method: 'POST',
    path: '/api/admin/links/try',
    summary: 'What a change of these links would do; changes nothing',
    access: { right: 'links.view' },
    log: 'link.try',
    body: z.strictObject({ chosen, change: z.enum(['disable', 'enable', 'unbind', 'remove']) }),
    reply: bulkReply,
    errors: [],
  }),
  disable: defineRoute({
    ...change,
    path: '/api/admin/links/disable',
    summary: 'Disable links; their guests are cut off',
    log: 'link.disable',
  }),
  enable: defineRoute({
    ...change,
    path: '/api/admin/links/enable',
    summary: 'Put disabled links back into use',
    log: 'link.enable',
  }),
  unbind: defineRoute({
    ...change,
    path: '/api/admin/links/unbind',
    summary: 'Let another device become the one that a link is bound to',
    log: 'link.unbind',
  }),
  remove: defineRoute({
    ...change,
    access: { right: 'links.delete' },
    path: '/api/admin/links/remove',
    summary: 'Delete links with their records; the files stay',
    log: 'link.remove',
  }),
}
