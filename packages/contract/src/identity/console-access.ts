import { z } from 'zod'
import { PERMISSION, type Permission } from '../permissions.ts'
import { defineRoute } from '../wire/route.ts'

/** What can be asked about: what a person does in the portal. */
export const ASKED_ACTIONS = [
  'list',
  'view',
  'download',
  'uploadFile',
  'makeFolder',
  'replace',
  'rename',
  'move',
  'copy',
  'delete',
  'share',
  'invite',
] as const
export type AskedAction = (typeof ASKED_ACTIONS)[number]

/** What decides. */
export const ACCESS_REASONS = [
  /** Nothing is against it. */
  'granted',
  /** The account is locked, not valid yet, or not any more. */
  'locked',
  'early',
  'over',
  /** No member of the space, or of the group. */
  'no-space',
  'no-group',
  /** The permission is missing where `from` says. */
  'flag',
  /** A rule of the account, or of the site: `pattern` is the path that it names. */
  'forbidden',
  'not-among-allowed',
  'way-to-allowed',
  'new-only',
  /** The ending of the name is denied, or not among those allowed. */
  'type',
  /** The place, or a virtual directory, itself stays where it is. */
  'place-itself',
  'mount-itself',
  /** Only by the client app. */
  'client-only',
  /** As much is kept as may be. */
  'quota',
  /** The edition of the license lacks it. */
  'edition',
  /** The license allows no transfers now. */
  'licence',
  /** The server is paused. */
  'paused',
] as const
export type AccessReason = (typeof ACCESS_REASONS)[number]

/** Where permissions come from. */
export const PERMISSION_SOURCES = ['account', 'space', 'group', 'mount'] as const
export type PermissionSource = (typeof PERMISSION_SOURCES)[number]

const question = z.object({
  /** The space of the personal files; left out for a group, which has its own. */
  spaceId: z.coerce.number().int().min(1).optional(),
  groupId: z.coerce.number().int().min(1).optional(),
  /** Of what is asked about; for what is to be made, of the new entry. */
  path: z.string().min(1).max(4096),
  action: z.enum(ASKED_ACTIONS),
})
export type AccessQuestion = z.infer<typeof question>

const answer = z.object({
  isAllowed: z.boolean(),
  reason: z.enum(ACCESS_REASONS),
  /** Of `granted` and `flag`: where the permissions of this path come from. */
  from: z.enum(PERMISSION_SOURCES).nullable(),
  /** Of `flag`: which one is missing. */
  permission: z.enum(Object.keys(PERMISSION) as [Permission, ...Permission[]]).nullable(),
  /** Of a rule: for whom it was written. */
  level: z.enum(['site', 'account']).nullable(),
  /** Of `forbidden`: the pattern as it was written. */
  pattern: z.string().nullable(),
  /** The virtual directory that the path leads into. */
  mount: z.string().nullable(),
})
export type AccessAnswer = z.infer<typeof answer>

export const adminAccessRoutes = {
  ask: defineRoute({
    method: 'GET',
    path: '/api/admin/users/:userId/access',
    summary: 'Whether an account may do something at a path now, and what decides; the storage is not looked at',
    access: { right: 'users.view' },
    params: z.object({ userId: z.string().max(64) }),
    query: question,
    reply: answer,
    errors: ['ACCOUNT_NOT_FOUND', 'GROUP_NOT_FOUND', 'NAME_INVALID', 'PATH_TOO_LONG'],
  }),
}
