import { storageIdInput } from '../input-codes.ts'
import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'

/** A folder of a storage under a name in an account's home. */
const mount = z.object({
  id: z.int(),
  spaceId: z.int(),
  /** Its name in the home. */
  alias: z.string(),
  storageId: z.int(),
  storageName: z.string(),
  /** Folder of the storage. */
  path: z.string(),
  readOnly: z.boolean(),
})
export type AdminMount = z.infer<typeof mount>

const alias = z.string().trim().min(1).max(LIMITS.aliasMax)

const newMount = z.strictObject({
  spaceId: z.int().min(1).default(LIMITS.defaultSpaceId),
  alias,
  storageId: storageIdInput,
  path: z.string().trim().min(1).max(LIMITS.pathMaxBytes),
  /** Nothing in it can be changed by the account. */
  readOnly: z.boolean().default(false),
})

const userId = z.object({ userId: z.string().max(64) })
const ofMount = userId.extend({ mountId: z.coerce.number().int().min(1) })
const PATH_ERRORS = ['STORAGE_PATH_INVALID', 'PATH_IS_FILE', 'NAME_INVALID', 'PATH_TOO_LONG'] as const
const ALIAS_ERRORS = ['ALIAS_PATH_INVALID', 'ALIAS_PATH_DUPLICATE', 'PATH_EXISTS', 'NAME_CASE_CLASH'] as const

/** Changing them takes the right to edit storages as well: a virtual directory opens what is on one. */
export const adminMountRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/users/:userId/mounts',
    summary: 'Virtual directories in the homes of an account, and the storages that the caller may choose from',
    access: { right: 'users.view' },
    params: userId,
    reply: z.object({
      mounts: z.array(mount),
      storages: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
    errors: ['ACCOUNT_NOT_FOUND'],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/users/:userId/mounts',
    summary: 'Show a folder of a storage under a name in the home of an account; the folder is made when it is missing',
    access: { right: 'users.edit' },
    log: 'mount.add',
    params: userId,
    body: newMount,
    reply: z.object({ mount }),
    errors: [
      'ACCOUNT_NOT_FOUND',
      'NO_SPACE',
      'STORAGE_NOT_FOUND',
      'PERMISSION_DENIED',
      ...PATH_ERRORS,
      ...ALIAS_ERRORS,
    ],
  }),
  rename: defineRoute({
    method: 'PATCH',
    path: '/api/admin/users/:userId/mounts/:mountId',
    summary: 'Give a virtual directory another name in its home; links and favorites follow',
    access: { right: 'users.edit' },
    log: 'mount.rename',
    params: ofMount,
    body: z.strictObject({ alias }),
    reply: z.object({ mount }),
    errors: ['ACCOUNT_NOT_FOUND', 'PATH_NOT_FOUND', 'PERMISSION_DENIED', ...ALIAS_ERRORS],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/users/:userId/mounts/:mountId/remove',
    summary: 'Take a virtual directory out of its home; its files stay on the storage, links into it end',
    access: { right: 'users.edit' },
    log: 'mount.remove',
    params: ofMount,
    reply: z.object({}),
    errors: ['ACCOUNT_NOT_FOUND', 'PATH_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
}
