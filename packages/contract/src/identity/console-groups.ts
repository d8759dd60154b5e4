import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { speed, transferFilters, weight } from './console-users.ts'
import { listQuery, listReply, revision } from './console-lists.ts'
import { GROUP_NAME_MAX } from './groups.ts'

/** Accounts in one call. */
export const MEMBERS_PER_CALL = 1000
const BYTES_MAX = Number.MAX_SAFE_INTEGER

/** What the library takes from its members, whatever each of them has. Null: as the space or the site has it. */
const transfer = z.strictObject(transferFilters)
export type GroupTransfer = z.infer<typeof transfer>

const group = z.object({
  id: z.int(),
  name: z.string(),
  space: z.object({ id: z.int(), name: z.string() }),
  members: z.int(),
  administrators: z.array(z.object({ id: z.string(), account: z.string() })),
  /** Bytes kept and reserved by running uploads, of all members. */
  usedBytes: z.int(),
  /** 0: no limit. */
  quotaBytes: z.int(),
  /** Of all transfers of the library together. */
  speed,
  /** Of each account in the library that has none of its own. */
  weight,
  transfer,
  createdAt: z.int(),
  revision,
})
export type AdminGroup = z.infer<typeof group>

const member = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  /** Permission bit flags inside the group, as on the wire. */
  permission: z.int(),
  isAdmin: z.boolean(),
})
export type AdminGroupMember = z.infer<typeof member>

const name = z
  .string()
  .trim()
  .min(1)
  .max(GROUP_NAME_MAX * 2, inputCode('NAME_TOO_LONG'))
const quotaBytes = z.int().min(0).max(BYTES_MAX)
const newGroup = z.strictObject({
  name,
  spaceId: z.int().min(1).default(1),
  quotaBytes: quotaBytes.default(0),
  speed: speed.optional(),
  weight: weight.optional(),
})
export type NewAdminGroup = z.infer<typeof newGroup>
const groupChange = z.strictObject({
  revision,
  name: name.optional(),
  quotaBytes: quotaBytes.optional(),
  speed: speed.optional(),
  weight: weight.optional(),
  transfer: transfer.optional(),
})
export type AdminGroupChange = z.infer<typeof groupChange>

/** Accounts by id, or by name for whoever cannot list them. */
export const people = {
  userIds: z.array(z.string().max(64)).max(MEMBERS_PER_CALL).default([]),
  accounts: z.array(z.string().max(64)).max(MEMBERS_PER_CALL).default([]),
}
export type PeopleChange = z.infer<z.ZodObject<typeof people>>
const memberChange = z.strictObject({
  ...people,
  /** What members have now, or the default of new ones, when left out. */
  permission: z.int().min(0).optional(),
  isAdmin: z.boolean().optional(),
})
export type GroupMembersChange = z.infer<typeof memberChange>

const groupId = z.object({ groupId: z.coerce.number().int().min(1) })
const done = z.object({})

export const adminGroupRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/groups',
    summary: 'Groups; an administrator of single groups sees these',
    access: { right: 'groups.view', within: 'group' },
    query: z.object({
      ...listQuery,
      spaceId: z.coerce.number().int().min(1).optional(),
      sort: z.enum(['name', 'created']).default('name'),
    }),
    reply: listReply(group),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/groups/:groupId',
    summary: 'One group',
    access: { right: 'groups.view', within: 'group' },
    params: groupId,
    reply: z.object({ group }),
    errors: ['GROUP_NOT_FOUND'],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/groups',
    summary: 'Add a group with a library of its own; nobody is a member yet',
    access: { right: 'groups.edit' },
    feature: 'groupSpaces',
    log: 'group.add',
    body: newGroup,
    reply: z.object({ group }),
    errors: ['GROUP_NAME_DUPLICATE', 'SPACE_NOT_FOUND', 'TIME_RANGE_INVALID', 'SPEED_PERIODS_OVERLAP'],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/groups/:groupId',
    summary: 'Rename a group, or change its quota, speed limits, weight or filters; its files stay where they are',
    access: { right: 'groups.edit' },
    log: 'group.edit',
    params: groupId,
    body: groupChange,
    reply: z.object({ group }),
    errors: [
      'GROUP_NOT_FOUND',
      'GROUP_NAME_DUPLICATE',
      'TIME_RANGE_INVALID',
      'SPEED_PERIODS_OVERLAP',
      'EDIT_CONFLICT',
      'EDITION_FEATURE_MISSING',
    ],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/groups/remove',
    summary: 'Remove a group without members; its files stay on the storage',
    access: { right: 'groups.edit' },
    log: 'group.remove',
    body: z.strictObject({ groupId: z.int().min(1) }),
    reply: done,
    errors: ['GROUP_NOT_FOUND', 'GROUP_HAS_USERS'],
  }),
  members: defineRoute({
    method: 'GET',
    path: '/api/admin/groups/:groupId/members',
    summary: 'Members of a group, by account',
    access: { right: 'groups.view', within: 'group' },
    params: groupId,
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(member),
    errors: ['GROUP_NOT_FOUND'],
  }),
  setMembers: defineRoute({
    method: 'POST',
    path: '/api/admin/groups/:groupId/members',
    summary: 'Make accounts members of a group, or change what they may do there; it takes effect at once',
    access: { right: 'groups.members', within: 'group' },
    log: 'group.members',
    params: groupId,
    body: memberChange,
    reply: z.object({ members: z.int() }),
    errors: ['GROUP_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'NO_SPACE', 'PERMISSION_DENIED'],
  }),
  removeMembers: defineRoute({
    method: 'POST',
    path: '/api/admin/groups/:groupId/members/remove',
    summary: 'End memberships: the next step of everything that stood on them is refused',
    access: { right: 'groups.members', within: 'group' },
    log: 'group.members-remove',
    params: groupId,
    body: z.strictObject(people),
    reply: z.object({ members: z.int() }),
    errors: ['GROUP_NOT_FOUND', 'ACCOUNT_NOT_FOUND'],
  }),
}
