import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { listQuery, listReply, revision } from './console-lists.ts'
import { CONSOLE_RIGHTS, CONSOLE_SCOPES } from './console-rights.ts'

/** Characters of the name of a role. */
export const ROLE_NAME_MAX = 32

const role = z.object({
  id: z.int(),
  name: z.string(),
  rights: z.array(z.enum(CONSOLE_RIGHTS)),
  auditScope: z.enum(CONSOLE_SCOPES),
  folderScope: z.enum(CONSOLE_SCOPES),
  /** Its administrators sign in with a second factor. */
  secondFactor: z.boolean(),
  /** How many administrators have it. */
  administrators: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  revision,
})
export type AdminRole = z.infer<typeof role>

const administrator = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  standing: z.enum(['super', 'role']),
  /** Null for the super administrator. */
  role: z.object({ id: z.int(), name: z.string() }).nullable(),
  online: z.boolean(),
  locked: z.boolean(),
  /** Account of whoever appointed this one; '' for the super administrator. */
  createdBy: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
  revision,
})
export type Administrator = z.infer<typeof administrator>

const roleFields = {
  name: z.string().trim().min(1).max(ROLE_NAME_MAX, inputCode('NAME_TOO_LONG')),
  rights: z.array(z.enum(CONSOLE_RIGHTS)).max(CONSOLE_RIGHTS.length),
  auditScope: z.enum(CONSOLE_SCOPES),
  folderScope: z.enum(CONSOLE_SCOPES),
  secondFactor: z.boolean(),
}
const newRole = z.strictObject({ ...roleFields, secondFactor: roleFields.secondFactor.default(false) })
export type NewRole = z.infer<typeof newRole>
const roleChange = z.strictObject({
  revision,
  name: roleFields.name.optional(),
  rights: roleFields.rights.optional(),
  auditScope: roleFields.auditScope.optional(),
  folderScope: roleFields.folderScope.optional(),
  secondFactor: roleFields.secondFactor.optional(),
})
export type RoleChange = z.infer<typeof roleChange>

const access = { right: 'roles.edit' } as const
const roleId = z.coerce.number().int().min(1)
const userId = z.string().max(64)
const done = z.object({})

/** Only the super administrator says what others may do. */
export const adminRoleRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/roles',
    summary: 'Roles, by name',
    access,
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(role),
    errors: [],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/roles',
    summary: 'Add a role',
    access,
    log: 'role.add',
    body: newRole,
    reply: z.object({ role }),
    errors: ['ROLE_NAME_DUPLICATE'],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/roles/:roleId',
    summary: 'Change the given fields of a role; its administrators have the new rights within a second',
    access,
    log: 'role.edit',
    params: z.object({ roleId }),
    body: roleChange,
    reply: z.object({ role }),
    errors: ['ROLE_NOT_FOUND', 'ROLE_NAME_DUPLICATE', 'EDIT_CONFLICT'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/roles/remove',
    summary: 'Remove a role that nobody has',
    access,
    log: 'role.remove',
    body: z.strictObject({ roleId: z.int().min(1) }),
    reply: done,
    errors: ['ROLE_NOT_FOUND', 'ROLE_IN_USE'],
  }),
}

export const administratorRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/administrators',
    summary: 'The super administrator first, then those by role, by account',
    access,
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(administrator),
    errors: [],
  }),
  appoint: defineRoute({
    method: 'POST',
    path: '/api/admin/administrators',
    summary: 'Make an account an administrator by role',
    access,
    log: 'administrator.appoint',
    body: z.strictObject({ userId, roleId: z.int().min(1) }),
    reply: done,
    errors: ['ACCOUNT_NOT_FOUND', 'ROLE_NOT_FOUND', 'ADMIN_EXISTS'],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/administrators/:userId',
    summary: 'Give an administrator another role',
    access,
    log: 'administrator.edit',
    params: z.object({ userId }),
    body: z.strictObject({ revision, roleId: z.int().min(1) }),
    reply: done,
    errors: ['ADMIN_NOT_FOUND', 'ROLE_NOT_FOUND', 'EDIT_CONFLICT'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/administrators/remove',
    summary: 'Take the role off an administrator; the account stays',
    access,
    log: 'administrator.remove',
    body: z.strictObject({ userId }),
    reply: done,
    errors: ['ADMIN_NOT_FOUND', 'LAST_ADMIN'],
  }),
  transferSuper: defineRoute({
    method: 'POST',
    path: '/api/admin/administrators/transfer-super',
    summary: 'Make another account the super administrator in one’s own place',
    access,
    log: 'administrator.transfer-super',
    body: z.strictObject({
      userId,
      /** base64 of UTF-8; of the one who hands over. */
      password: z.string().max(1024),
      /** What the former one is from then on; left out, no administrator. */
      roleId: z.int().min(1).optional(),
    }),
    reply: done,
    errors: [
      'ACCOUNT_MANAGED_ELSEWHERE',
      'ACCOUNT_NOT_FOUND',
      'ROLE_NOT_FOUND',
      'OLD_PASSWORD_WRONG',
      'ACCOUNT_LOCKED',
    ],
  }),
}
