import { bandwidth, inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { ACCOUNT_TYPE } from './account-types.ts'
import { mailLanguage } from '../foundation/mail.ts'
import { listQuery, listReply, revision } from './console-lists.ts'
import { MBPS_MAX, PERIODS_MAX, WEIGHT_MAX } from './speed-periods.ts'

/** Times are Unix milliseconds, sizes bytes, permissions bit flags as on the wire of the portal. */

export const USER_SORTS = ['account', 'name', 'email', 'created', 'lastSignIn'] as const
export const USER_STATES = ['online', 'locked', 'active'] as const
/** Accounts in one call, by their ids. */
export const USERS_PER_CALL = 10_000

/** Patterns of paths and endings of names in one list. */
const RULES_MAX = 200
const pattern = z.string().trim().min(1).max(255)
const ending = z.string().trim().max(64)

/** What narrows an account's rights in every place. Endings stand without the dot; '' is a name without any. */
const fileRules = z.strictObject({
  forbiddenPaths: z.array(pattern).max(RULES_MAX).default([]),
  /** When there are any, everything else is forbidden. */
  allowedPaths: z.array(pattern).max(RULES_MAX).default([]),
  uploadNewOnly: z.boolean().default(false),
  deniedTypes: z.array(ending).max(RULES_MAX).default([]),
  allowedTypes: z.array(ending).max(RULES_MAX).default([]),
})
export type FileRules = z.infer<typeof fileRules>

const mbps = bandwidth(MBPS_MAX)
/** `HH:MM`, to the end of the day. */
const timeOfDay = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)

const speedPeriod = z.strictObject({
  /** 1 is Monday, 7 Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  /** By the clock of the server; the end is later than the start. */
  start: timeOfDay,
  end: timeOfDay,
  uploadMbps: mbps,
  downloadMbps: mbps,
})

/** How fast all transfers of the account together may be. */
export const speed = z.strictObject({
  uploadMbps: mbps.default(0),
  downloadMbps: mbps.default(0),
  /** The one that fits takes the place of the limits above; none overlap. */
  periods: z.array(speedPeriod).max(PERIODS_MAX).default([]),
})
export type AccountSpeed = z.infer<typeof speed>

/** Part of an account in a limit that several share: twice the weight, twice the speed. Null: as the next wider place has it. */
export const weight = z.int().min(1).max(WEIGHT_MAX).nullable()

/** Megabytes; the largest file is far below. */
const MB_MAX = 2 ** 31 - 1

/** What is not sent, and what is sent by itself. Null: as the next wider place has it. */
export const transferFilters = {
  /** Globs of files that are not sent, separated by semicolons; '' is none. */
  ignorePatterns: z.string().trim().max(4096).nullable().default(null),
  /** Larger files are not sent; 0 is no limit. */
  ignoreAboveMb: z.int().min(0).max(MB_MAX).nullable().default(null),
  /** Files whose name is taken are not sent. */
  skipSameName: z.boolean().nullable().default(null),
  /** The client may not change these filters. */
  lockFilters: z.boolean().nullable().default(null),
  /** Whether the client keeps folders in sync: on every change, or once a file has rested for a minute. */
  sync: z.enum(['off', 'change', 'rest']).nullable().default(null),
}

/** How somebody transfers. Null: as the next wider place has it. */
export const transferWays = { ways: z.enum(['both', 'client', 'web']).nullable().default(null), ...transferFilters }

/** How an account transfers and mails. Null: as its space or the site has it. */
const transfer = z.strictObject({
  /** Whose mail server sends what the account sends: a sender of its own, or the system's. */
  mailSender: z.enum(['own', 'system']).default('own'),
  /** Who mails links to recipients: the server, or the person with a mail program. */
  linkMail: z.enum(['server', 'program']).nullable().default(null),
  ...transferWays,
})
export type AccountTransfer = z.infer<typeof transfer>

/** Addresses, networks and ranges such as 10.80.90.[1-100], separated by semicolons; '' is everywhere. */
export const addressList = z.string().trim().max(LIMITS.listTextLimit, inputCode('LIST_TOO_LONG'))

const named = z.object({ id: z.int(), name: z.string() })
const accountType = z.literal(Object.values(ACCOUNT_TYPE))

export const adminUser = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  type: accountType,
  /** The provider that it comes from, and where its password, name and addresses are kept; null: this server. */
  source: named.nullable(),
  groups: z.array(named),
  department: named.nullable(),
  /** Bytes kept and reserved by running uploads. */
  usedBytes: z.int(),
  /** The limit in force; 0: none. */
  quotaBytes: z.int(),
  online: z.boolean(),
  locked: z.boolean(),
  standing: z.enum(['super', 'role', 'user']),
  /** `open`: a link to choose a password is on its way; `over`: it is too old or was withdrawn. */
  invitation: z.enum(['open', 'over']).nullable(),
  createdAt: z.int(),
  /** Null before the first sign-in; sign-ins before this was recorded do not count. */
  lastSignInAt: z.int().nullable(),
  revision,
})
export type AdminUser = z.infer<typeof adminUser>

export const adminUserDetail = adminUser.extend({
  permission: z.int(),
  /** Null: `quotaBytes` is the site's default. */
  ownQuotaBytes: z.int().nullable(),
  /** The person must choose a password at the next sign-in. */
  mustReset: z.boolean(),
  /** Folder of the personal files inside a space's storage. */
  home: z.string(),
  spaces: z.array(named),
  rules: fileRules,
  speed,
  weight,
  transfer,
  loginAddresses: addressList,
  /** Before and after these times the account cannot be used; null: no bound. */
  validFrom: z.int().nullable(),
  validUntil: z.int().nullable(),
})
export type AdminUserDetail = z.infer<typeof adminUserDetail>

const fields = {
  name: z.string().trim().min(1).max(LIMITS.displayNameMax, inputCode('NAME_TOO_LONG')),
  email: z.string().trim().max(LIMITS.textInputMax),
  phone: z.string().trim().max(32),
  departmentId: z.int().min(1).nullable(),
  permission: z.int().min(0),
  ownQuotaBytes: z.int().min(0).nullable(),
  mustReset: z.boolean(),
  rules: fileRules,
  speed,
  weight,
  transfer,
  loginAddresses: addressList,
  validFrom: z.int().min(0).nullable(),
  validUntil: z.int().min(0).nullable(),
}

/** A new account, also as a row of an import. */
export const newUserFields = z.strictObject({
  account: z.string().max(64),
  /** base64 of UTF-8. Without one the person chooses it by an invitation. */
  password: z.string().max(1024).optional(),
  /** Mails a link by which the person chooses a password; takes the place of `password`. */
  invite: z.boolean().optional(),
  /** Language of mails to the account; that of the caller unless given. */
  language: mailLanguage.optional(),
  type: accountType.optional(),
  name: fields.name.optional(),
  email: fields.email.optional(),
  phone: fields.phone.optional(),
  departmentId: fields.departmentId.optional(),
  permission: fields.permission.optional(),
  ownQuotaBytes: fields.ownQuotaBytes.optional(),
  mustReset: fields.mustReset.optional(),
  rules: fields.rules.optional(),
  speed: fields.speed.optional(),
  weight: fields.weight.optional(),
  transfer: fields.transfer.optional(),
  loginAddresses: fields.loginAddresses.optional(),
  validFrom: fields.validFrom.optional(),
  validUntil: fields.validUntil.optional(),
})
export type NewAdminUser = z.infer<typeof newUserFields>

const userChange = z.strictObject({
  revision,
  /** base64 of UTF-8; sets a password in the person's place and ends every session. */
  password: z.string().max(1024).optional(),
  name: fields.name.optional(),
  email: fields.email.optional(),
  phone: fields.phone.optional(),
  departmentId: fields.departmentId.optional(),
  permission: fields.permission.optional(),
  ownQuotaBytes: fields.ownQuotaBytes.optional(),
  mustReset: fields.mustReset.optional(),
  rules: fields.rules.optional(),
  speed: fields.speed.optional(),
  weight: fields.weight.optional(),
  transfer: fields.transfer.optional(),
  loginAddresses: fields.loginAddresses.optional(),
  validFrom: fields.validFrom.optional(),
  validUntil: fields.validUntil.optional(),
})
export type AdminUserChange = z.infer<typeof userChange>

/** The whole account of one; case does not matter. */
const oneAccount = { account: z.string().trim().min(1).max(256).optional() }

const userFilter = {
  text: listQuery.text,
  state: z.enum(USER_STATES).optional(),
  type: z.coerce.number().pipe(accountType).optional(),
  departmentId: z.coerce.number().int().min(1).optional(),
  groupId: z.coerce.number().int().min(1).optional(),
}
export type AdminUserFilter = z.infer<z.ZodObject<typeof userFilter>>

const userId = z.object({ userId: z.string().max(64) })
const FIELD_ERRORS = [
  'EDITION_FEATURE_MISSING',
  'EMAIL_INVALID',
  'EMAIL_EXISTS',
  'PHONE_INVALID',
  'PASSWORD_WEAK',
  'DEPARTMENT_NOT_FOUND',
  'PERMISSION_DENIED',
  'TIME_RANGE_INVALID',
  'SPEED_PERIODS_OVERLAP',
  'ADDRESS_NOT_ALLOWED',
  'ACCOUNT_MANAGED_ELSEWHERE',
] as const

/** Which accounts a call is about: these, or all that a filter fits. */
const byIds = { ids: z.array(z.string().max(64)).min(1).max(USERS_PER_CALL) }
const byFilter = {
  filter: z.strictObject(userFilter),
  /** Taken out of them again, by id. */
  except: z.array(z.string().max(64)).max(USERS_PER_CALL).default([]),
}
const chosenUsers = z.union([z.strictObject(byIds), z.strictObject(byFilter)])
export type ChosenUsers = z.infer<typeof chosenUsers>

/** What becomes of the files of removed accounts. `to`: account or e-mail of whoever gets them. */
const filesFate = {
  files: z.enum(['keep', 'delete', 'hand-over']).default('keep'),
  to: z.string().trim().max(LIMITS.textInputMax).optional(),
}
const removedUsers = z.union([
  z.strictObject({ ...byIds, ...filesFate }),
  z.strictObject({ ...byFilter, ...filesFate }),
])
export type RemovedUsers = z.infer<typeof removedUsers>

/** Those left as they were, by name, with the error that kept each. */
export const bulkReply = z.object({
  changed: z.int(),
  failed: z.array(z.object({ id: z.string(), account: z.string(), code: z.int(), message: z.string() })),
})

/** Rows of one call of an import: each needs a tenth of a second for its password. */
export const IMPORT_ROWS_MAX = 100

const importedRow = z.object({
  /** Its place in the call, from 0. */
  row: z.int(),
  account: z.string(),
  /** `fits`: a dry run found nothing wrong. */
  result: z.enum(['created', 'fits', 'failed']),
  /** Which field keeps it from coming in, where one does; with the error and its text. */
  field: z.string().optional(),
  code: z.int().optional(),
  message: z.string().optional(),
})
export type ImportedRow = z.infer<typeof importedRow>

export const adminUserRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/users',
    summary: 'Accounts, page by page',
    access: { right: 'users.view' },
    query: z.object({ ...listQuery, ...userFilter, ...oneAccount, sort: z.enum(USER_SORTS).default('account') }),
    reply: listReply(adminUser),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/users/:userId',
    summary: 'One account',
    access: { right: 'users.view' },
    params: userId,
    reply: z.object({ user: adminUserDetail }),
    errors: ['ACCOUNT_NOT_FOUND'],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/users',
    summary: 'Add an account',
    access: { right: 'users.edit' },
    log: 'user.add',
    body: newUserFields,
    reply: z.object({ user: adminUserDetail }),
    errors: [
      'ACCOUNT_INVALID',
      'ACCOUNT_EXISTS',
      'EDITION_USER_LIMIT',
      'EMAIL_MISSING',
      'SYSTEM_MAIL_NOT_CONFIGURED',
      ...FIELD_ERRORS,
    ],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/users/:userId',
    summary: 'Change the given fields of an account',
    access: { right: 'users.edit' },
    log: 'user.edit',
    params: userId,
    body: userChange,
    reply: z.object({ user: adminUserDetail }),
    errors: ['ACCOUNT_NOT_FOUND', 'EDIT_CONFLICT', ...FIELD_ERRORS],
  }),
  export: defineRoute({
    method: 'GET',
    path: '/api/admin/users/export',
    summary: 'Accounts as CSV, safe against formulas; the columns of an import come first',
    access: { right: 'users.view' },
    log: 'user.export',
    query: z.object(userFilter),
    reply: z.unknown(),
    raw: 'reply',
    errors: [],
  }),
  import: defineRoute({
    method: 'POST',
    path: '/api/admin/users/import',
    summary: 'Add many accounts: what fits is added, and of each other row the wrong field is named',
    access: { right: 'users.import' },
    log: 'user.import',
    body: z.strictObject({
      /** Each with the fields of a new account. */
      rows: z.array(z.record(z.string(), z.unknown())).min(1).max(IMPORT_ROWS_MAX),
      /** Checks every row and writes none. */
      dryRun: z.boolean(),
    }),
    reply: z.object({ created: z.int(), rows: z.array(importedRow) }),
    errors: [],
  }),
  invite: defineRoute({
    method: 'POST',
    path: '/api/admin/users/invite',
    summary: 'Mail the invitation once more to accounts that wait for one; earlier links end',
    access: { right: 'users.edit' },
    log: 'user.invite',
    body: chosenUsers,
    reply: bulkReply,
    errors: ['SYSTEM_MAIL_NOT_CONFIGURED'],
  }),
  withdrawInvitation: defineRoute({
    method: 'POST',
    path: '/api/admin/users/withdraw-invitation',
    summary: 'Make the links of invitations worthless; the accounts stay',
    access: { right: 'users.edit' },
    log: 'user.withdraw-invitation',
    body: chosenUsers,
    reply: bulkReply,
    errors: [],
  }),
  lock: defineRoute({
    method: 'POST',
    path: '/api/admin/users/lock',
    summary: 'Lock accounts: their sessions, uploads and links stop',
    access: { right: 'users.edit' },
    log: 'user.lock',
    body: chosenUsers,
    reply: bulkReply,
    errors: [],
  }),
  unlock: defineRoute({
    method: 'POST',
    path: '/api/admin/users/unlock',
    summary: 'Unlock accounts',
    access: { right: 'users.edit' },
    log: 'user.unlock',
    body: chosenUsers,
    reply: bulkReply,
    errors: [],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/users/remove',
    summary: 'Remove accounts; their files stay in the storage, are deleted, or become those of another account',
    access: { right: 'users.remove' },
    log: 'user.remove',
    body: removedUsers,
    reply: bulkReply,
    errors: ['ACCOUNT_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
}
