import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { people } from './console-groups.ts'
import { listQuery, listReply, revision } from './console-lists.ts'
import { addressList, speed, transferWays, weight } from './console-users.ts'

const named = z.object({ id: z.int(), name: z.string() })

const space = z.object({
  id: z.int(),
  /** The page translates the name of the default space. */
  name: z.string(),
  isDefault: z.boolean(),
  members: z.int(),
  administrators: z.array(z.object({ id: z.string(), account: z.string() })),
  storages: z.array(named.extend({ isDefault: z.boolean() })),
  groups: z.int(),
  /** Larger files are left out of transfers, MB; null: no such rule of this space's own. */
  skipAboveMb: z.int().nullable(),
  /** Who reaches the space, by address; '' is everywhere. A deny list refuses, an allow list must be passed. */
  allowedAddresses: addressList,
  deniedAddresses: addressList,
  /** How fast all transfers in the space together may be. */
  speed,
  /** Of each account in the space that has none of its own. */
  weight,
  revision,
})
export type AdminSpace = z.infer<typeof space>

const memberTransfer = z.strictObject(transferWays)
export type SpaceMemberTransfer = z.infer<typeof memberTransfer>

const member = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  /** Permission bit flags in the personal files of this space, as on the wire; null: those of the account. */
  permission: z.int().nullable(),
  /** What holds for transfers in this space, before what the account has. */
  transfer: memberTransfer,
})
export type AdminSpaceMember = z.infer<typeof member>

const MB_MAX = 2 ** 31 - 1
const spaceName = z.string().trim().min(1).max(64, inputCode('NAME_TOO_LONG'))
const ids = z.array(z.int().min(1)).max(100)
const storageChoice = {
  /** With none, the storages of the first space serve this one. */
  storageIds: ids,
  defaultStorageId: z.int().min(1).nullable(),
}
const spaceChange = z.strictObject({
  revision,
  name: spaceName.optional(),
  storages: z.strictObject(storageChoice).optional(),
  skipAboveMb: z.int().min(1).max(MB_MAX).nullable().optional(),
  allowedAddresses: addressList.optional(),
  deniedAddresses: addressList.optional(),
  speed: speed.optional(),
  weight: weight.optional(),
})
export type AdminSpaceChange = z.infer<typeof spaceChange>
const newSpace = z.strictObject({
  name: spaceName,
  storageIds: ids.default([]),
  defaultStorageId: z.int().min(1).nullable().default(null),
  skipAboveMb: z.int().min(1).max(MB_MAX).nullable().default(null),
  allowedAddresses: addressList.default(''),
  deniedAddresses: addressList.default(''),
  speed: speed.optional(),
  weight: weight.optional(),
})
export type NewAdminSpace = z.infer<typeof newSpace>

/** Whose memberships, and what they are from now on; what is left out stays. */
const memberChange = z.strictObject({
  ...people,
  isAdmin: z.boolean().optional(),
  permission: z.int().min(0).nullable().optional(),
  transfer: memberTransfer.optional(),
})
export type SpaceMembersChange = z.infer<typeof memberChange>

const usage = z.object({
  spaceId: z.int(),
  files: z.int(),
  bytes: z.int(),
  /** What groups of the space keep of it, with versions and the recycle bin. */
  groupBytes: z.int(),
})
export type AdminSpaceUsage = z.infer<typeof usage>

const spaceId = z.object({ spaceId: z.coerce.number().int().min(1) })

export const adminSpaceRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/spaces',
    summary: 'All spaces; an administrator of single spaces sees these',
    access: { right: 'spaces.view', within: 'space' },
    reply: z.object({ spaces: z.array(space) }),
    errors: [],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces',
    summary: 'Add a space',
    access: { right: 'spaces.edit' },
    log: 'space.add',
    body: newSpace,
    reply: z.object({ spaceId: z.int() }),
    errors: [
      'SPACE_NAME_DUPLICATE',
      'SPACE_NEEDS_STORAGE',
      'STORAGE_NOT_FOUND',
      'TIME_RANGE_INVALID',
      'SPEED_PERIODS_OVERLAP',
      'EDITION_FEATURE_MISSING',
    ],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/spaces/:spaceId',
    summary: 'Rename a space, choose its storages or its rules; files stay where they are',
    access: { right: 'spaces.edit' },
    log: 'space.edit',
    params: spaceId,
    body: spaceChange,
    reply: z.object({}),
    errors: [
      'SPACE_NOT_FOUND',
      'SPACE_NAME_DUPLICATE',
      'SPACE_NEEDS_STORAGE',
      'STORAGE_NOT_FOUND',
      'TIME_RANGE_INVALID',
      'SPEED_PERIODS_OVERLAP',
      'EDIT_CONFLICT',
      'EDITION_FEATURE_MISSING',
    ],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/remove',
    summary: 'Remove a space without groups; memberships end, and its files stay on the storages',
    access: { right: 'spaces.edit' },
    log: 'space.remove',
    body: z.strictObject({ spaceId: z.int().min(1) }),
    reply: z.object({}),
    errors: ['SPACE_NOT_FOUND', 'SPACE_DEFAULT_UNDELETABLE', 'SPACE_HAS_GROUPS', 'SPACE_MOVE_UNDER_WAY'],
  }),
  usage: defineRoute({
    method: 'GET',
    path: '/api/admin/spaces/usage',
    summary: 'What is in each space, as the search index knows it; at most a minute old',
    access: { right: 'spaces.view', within: 'space' },
    reply: z.object({ usage: z.array(usage) }),
    errors: [],
  }),
  members: defineRoute({
    method: 'GET',
    path: '/api/admin/spaces/:spaceId/members',
    summary: 'Members of a space, by account',
    access: { right: 'spaces.view', within: 'space' },
    params: spaceId,
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(member),
    errors: ['SPACE_NOT_FOUND'],
  }),
  setMembers: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/members',
    summary: 'Make accounts members of a space, or its administrators, and set what they may do in it',
    access: { right: 'spaces.members', within: 'space' },
    log: 'space.members',
    params: spaceId,
    body: memberChange,
    reply: z.object({ members: z.int() }),
    errors: ['SPACE_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'PERMISSION_DENIED', 'EDITION_FEATURE_MISSING'],
  }),
  removeMembers: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/members/remove',
    summary: 'End memberships; files in the space stay on its storage',
    access: { right: 'spaces.members', within: 'space' },
    log: 'space.members-remove',
    params: spaceId,
    body: z.strictObject(people),
    reply: z.object({ members: z.int() }),
    errors: ['SPACE_NOT_FOUND', 'ACCOUNT_NOT_FOUND'],
  }),
}
