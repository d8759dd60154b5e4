import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { SCIM_NEW_ACCOUNTS } from './provider-types.ts'

/** Counts up with each change; 0 before the first. */
const revision = z.int().min(0)

const connection = z.object({
  enabled: z.boolean(),
  newAccounts: z.enum(SCIM_NEW_ACCOUNTS),
  /** Permission bits of new accounts. */
  permission: z.int(),
  hasToken: z.boolean(),
  /** When the token was made, Unix milliseconds; null without one. */
  createdAt: z.int().nullable(),
  /** Account; '' without a token. */
  createdBy: z.string(),
  /** When the token was last used, to the minute; null: never. */
  usedAt: z.int().nullable(),
  /** Accounts that the other side has made or changed. */
  accounts: z.int(),
  revision,
})
export type ScimConnection = z.infer<typeof connection>

const change = z.strictObject({
  revision,
  enabled: z.boolean().optional(),
  newAccounts: z.enum(SCIM_NEW_ACCOUNTS).optional(),
  permission: z.int().min(0).optional(),
})
export type ScimConnectionChange = z.infer<typeof change>

const access = { right: 'authentication.edit' } as const

export const adminScimRoutes = {
  detail: defineRoute({
    method: 'GET',
    path: '/api/admin/authentication/scim',
    summary: 'The connection by which an identity management keeps accounts and groups (SCIM 2.0)',
    access,
    reply: connection,
    errors: [],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/authentication/scim',
    summary: 'Switch the connection on or off, or say what new accounts are like',
    access,
    feature: 'directoryLogin',
    log: 'authentication.scim',
    body: change,
    reply: connection,
    errors: ['EDIT_CONFLICT'],
  }),
  createToken: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/scim/token',
    summary: 'Make the token of the connection; it is shown once, and an earlier one ends',
    access,
    feature: 'directoryLogin',
    log: 'authentication.scim-token',
    reply: connection.extend({ token: z.string() }),
    errors: [],
  }),
}
