import { inputCode, port } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { LDAP_SERVER_TYPES } from './account-types.ts'
import { listQuery, listReply, revision } from './console-lists.ts'
import { httpSettings, mailLoginSettings, unixSettings } from './service-settings.ts'
import { DIRECTORY_CHANGES, DIRECTORY_SYNC_STATES, LDAP_ENCRYPTIONS, PROVIDER_TEST_STEPS } from './provider-types.ts'

const TEXT_MAX = 1024
const CA_MAX = 65_536
const GROUPS_MAX = 200
/** A week. */
const SYNC_MINUTES_MAX = 10_080

const attribute = z
  .string()
  .trim()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9;-]*$/)
/** '' reads nothing. */
const optionalAttribute = z.union([z.literal(''), attribute])
const number = z.int().min(1)

const ldapSettings = z.strictObject({
  serverType: z.enum(LDAP_SERVER_TYPES),
  host: z.string().trim().max(255),
  port,
  encryption: z.enum(LDAP_ENCRYPTIONS),
  /** PEM of the authorities that may have signed the server's certificate; '' is those of the system. */
  ca: z.string().trim().max(CA_MAX).default(''),
  /** Account path: what lies below it may sign in. */
  base: z.string().trim().max(TEXT_MAX),
  /** '' reads the directory without signing in, which AD does not allow. */
  bindUser: z.string().trim().max(TEXT_MAX).default(''),
  /** RFC 4515; '' is every person. */
  filter: z.string().trim().max(TEXT_MAX).default(''),
  attributes: z.strictObject({
    account: attribute,
    name: optionalAttribute,
    email: optionalAttribute,
    phone: optionalAttribute,
    department: optionalAttribute,
    /** Never changes for an entry, whatever it is renamed to. */
    id: attribute,
  }),
  /** Members of a group of the directory join a group, or a department, here. */
  groups: z
    .array(
      z.strictObject({
        dn: z.string().trim().min(1).max(TEXT_MAX),
        groupId: number.optional(),
        departmentId: number.optional(),
      }),
    )
    .max(GROUPS_MAX)
    .default([]),
  /** Permission bits of new accounts. */
  permission: z.int().min(0),
  /** Whether an account is made when somebody of the directory signs in for the first time. */
  createAtSignIn: z.boolean().default(true),
  /** Minutes between two synchronizations; 0: only by hand. */
  syncMinutes: z.int().min(0).max(SYNC_MINUTES_MAX).default(0),
})
export type LdapSettings = z.infer<typeof ldapSettings>

/** A claim, or a path to one within others, such as `realm_access.roles`. */
const claim = z.string().trim().min(1).max(128)
const optionalClaim = z.union([z.literal(''), claim])

const oidcSettings = z.strictObject({
  /** Its metadata is at `/.well-known/openid-configuration` below it. */
  issuer: z.string().trim().max(TEXT_MAX),
  /** PEM of the authorities that may have signed the provider's certificate; '' is those of the system. */
  ca: z.string().trim().max(CA_MAX).default(''),
  clientId: z.string().trim().max(255),
  /** Separated by spaces; `openid` is always among them. */
  scopes: z.string().trim().max(TEXT_MAX).default('openid profile email'),
  claims: z.strictObject({
    account: claim,
    name: optionalClaim,
    email: optionalClaim,
    phone: optionalClaim,
    department: optionalClaim,
    /** A list of names, or one name. */
    groups: optionalClaim,
  }),
  /** Take addresses that the provider does not call verified. */
  trustEmail: z.boolean().default(false),
  /** Who has a group or role of the provider joins a group, or a department, here. */
  groups: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(TEXT_MAX),
        groupId: number.optional(),
        departmentId: number.optional(),
      }),
    )
    .max(GROUPS_MAX)
    .default([]),
  /** Name on the button of the sign-in page; '' is the provider's. */
  nameZH: z.string().trim().max(40).default(''),
  nameEN: z.string().trim().max(40).default(''),
  /** Permission bits of new accounts. */
  permission: z.int().min(0),
  /** Whether an account is made when somebody of the provider signs in for the first time. */
  createAtSignIn: z.boolean().default(true),
})
export type OidcSettings = z.infer<typeof oidcSettings>

const METADATA_MAX = 262_144
/** An attribute by its whole name, which with many providers is an address. */
const samlAttribute = z.string().trim().max(256)

const samlSettings = z.strictObject({
  /** Of the provider's metadata, https; read for every sign-in, so that a new key counts at once. */
  metadataUrl: z.string().trim().max(TEXT_MAX).default(''),
  /** The metadata itself, where there is no address. */
  metadata: z.string().trim().max(METADATA_MAX).default(''),
  /** PEM of the authorities that may have signed the certificate of the address; '' is those of the system. */
  ca: z.string().trim().max(CA_MAX).default(''),
  attributes: z.strictObject({
    /** '' is the NameID. */
    account: samlAttribute,
    name: samlAttribute,
    email: samlAttribute,
    phone: samlAttribute,
    department: samlAttribute,
    groups: samlAttribute,
  }),
  /** SAML does not say whether an address was verified. */
  trustEmail: z.boolean().default(false),
  ...oidcSettings.pick({ groups: true, nameZH: true, nameEN: true, permission: true, createAtSignIn: true }).shape,
})
export type SamlSettings = z.infer<typeof samlSettings>

/** A kind with the settings it takes. The secret is apart and only ever sent. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ldap'), settings: ldapSettings }),
  z.strictObject({ kind: z.literal('oidc'), settings: oidcSettings }),
  z.strictObject({ kind: z.literal('saml'), settings: samlSettings }),
  z.strictObject({ kind: z.literal('http'), settings: httpSettings }),
  z.strictObject({ kind: z.literal('email'), settings: mailLoginSettings }),
  z.strictObject({ kind: z.literal('unix'), settings: unixSettings }),
])
export type ProviderSource = z.infer<typeof source>

const provider = z.object({
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  source,
  hasSecret: z.boolean(),
  /** Accounts that come from it. */
  accounts: z.int(),
  createdAt: z.int(),
  revision,
})
export type AuthProvider = z.infer<typeof provider>

const secret = z.string().max(TEXT_MAX).optional()
const newProvider = z.strictObject({
  name: z.string().trim().min(1).max(64, inputCode('NAME_TOO_LONG')),
  enabled: z.boolean().default(true),
  source,
  secret,
})
export type NewAuthProvider = z.infer<typeof newProvider>
const providerChange = z.strictObject({
  revision,
  name: newProvider.shape.name.optional(),
  enabled: z.boolean().optional(),
  source: source.optional(),
  /** Left out, the one that is known stays. */
  secret,
})
export type AuthProviderChange = z.infer<typeof providerChange>
const triedProvider = z.strictObject({
  /** Of the provider that is being edited: its secret serves where none is given. */
  providerId: number.optional(),
  source,
  secret,
  /** Somebody whose sign-in is tried as well. */
  account: z.string().trim().max(256).optional(),
  password: z.string().max(TEXT_MAX).optional(),
})
export type TriedAuthProvider = z.infer<typeof triedProvider>

/** What was proved, with the milliseconds of each step, and whom the test account belongs to. */
const proof = z.object({
  steps: z.array(z.object({ step: z.enum(PROVIDER_TEST_STEPS), ms: z.int() })),
  person: z
    .object({
      account: z.string(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      department: z.string(),
      groups: z.int(),
    })
    .nullable(),
})
export type ProviderProof = z.infer<typeof proof>

const counts = z.object({ add: z.int(), change: z.int(), lock: z.int(), unlock: z.int(), skip: z.int() })
const sync = z.object({
  id: z.string(),
  providerId: z.int(),
  providerName: z.string(),
  dryRun: z.boolean(),
  state: z.enum(DIRECTORY_SYNC_STATES),
  /** Account of who asked for it; '' is the schedule. */
  by: z.string(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  /** Entries that the directory gave so far. */
  read: z.int(),
  /** Accounts that were written so far. */
  written: z.int(),
  counts,
  /** Name of the error that ended it; '' when none did. */
  error: z.string(),
})
export type DirectorySync = z.infer<typeof sync>

const syncChange = z.object({
  change: z.enum(DIRECTORY_CHANGES),
  account: z.string(),
  /** Fields that change, or the reason for a skip. */
  detail: z.string(),
})
export type DirectorySyncChange = z.infer<typeof syncChange>

const providerId = z.object({ providerId: z.coerce.number().int().min(1) })
const syncId = z.object({ syncId: z.string().min(1).max(32) })
const access = { right: 'authentication.edit' } as const

/** What may be wrong with the settings of a provider; `data.step` names the step of the test, `data.field` the field. */
const FAULTS = ['VALUE_REQUIRED', 'PARAMETER_INVALID', 'GROUP_NOT_FOUND', 'DEPARTMENT_NOT_FOUND'] as const
const LDAP_FAULTS = [
  'LDAP_UNREACHABLE',
  'LDAP_CERTIFICATE_INVALID',
  'LDAP_BIND_FAILED',
  'LDAP_SEARCH_FAILED',
  'LDAP_ANSWER_INVALID',
  'LDAP_CREDENTIALS_WRONG',
] as const
const SIGN_ON_FAULTS = [
  'EXTERNAL_AUTH_UNREACHABLE',
  'SIGN_ON_CERTIFICATE_INVALID',
  'SIGN_ON_ANSWER_INVALID',
  'SIGN_ON_CLIENT_REFUSED',
  'SAML_METADATA_INVALID',
] as const

const SERVICE_FAULTS = [
  'AUTH_SERVICE_CERTIFICATE_INVALID',
  'AUTH_SERVICE_ANSWER_INVALID',
  'AUTH_SERVICE_OTHER_ACCOUNT',
  'AUTH_SERVICE_ACCEPTS_ANYBODY',
  'AUTH_SERVICE_REFUSED',
  'AUTH_SERVICE_CREDENTIALS_WRONG',
  'SYSTEM_PASSWORD_WRONG',
  'MAIL_LOGIN_UNREACHABLE',
  'MAIL_LOGIN_UNSUPPORTED',
  'SYSTEM_ACCOUNTS_UNREACHABLE',
  'PAM_SERVICE_MISSING',
] as const

export const adminAuthenticationRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/authentication/providers',
    summary: 'Where people prove who they are besides the server itself, in the order in which they are asked',
    access,
    reply: z.object({ providers: z.array(provider) }),
    errors: [],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/providers',
    summary: 'Add a provider at the end of the order',
    access,
    feature: 'directoryLogin',
    log: 'authentication.add',
    body: newProvider,
    reply: z.object({ provider }),
    errors: ['AUTH_PROVIDER_NAME_DUPLICATE', ...FAULTS],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/authentication/providers/:providerId',
    summary: 'Change a provider; its accounts stay linked to it',
    access,
    feature: 'directoryLogin',
    log: 'authentication.edit',
    params: providerId,
    body: providerChange,
    reply: z.object({ provider }),
    errors: ['AUTH_PROVIDER_NOT_FOUND', 'AUTH_PROVIDER_NAME_DUPLICATE', 'EDIT_CONFLICT', ...FAULTS],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/providers/remove',
    summary: 'Forget a provider; its accounts stay and cannot sign in until another one takes them over',
    access,
    log: 'authentication.remove',
    body: z.strictObject({ providerId: number }),
    reply: z.object({}),
    errors: ['AUTH_PROVIDER_NOT_FOUND', 'SYNC_RUNNING'],
  }),
  order: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/providers/order',
    summary: 'Set the order in which providers are asked for an account that nobody knows yet',
    access,
    log: 'authentication.order',
    body: z.strictObject({ providerIds: z.array(number).max(100) }),
    reply: z.object({ providers: z.array(provider) }),
    errors: ['AUTH_PROVIDER_NOT_FOUND'],
  }),
  tryOut: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/try',
    summary:
      'Test settings before they are saved, within 10 seconds: connection, encryption, bind, search and a test account, or the metadata, keys and client of an identity provider; a service has to refuse somebody who does not exist',
    access,
    feature: 'directoryLogin',
    log: 'authentication.try',
    body: triedProvider,
    reply: proof,
    errors: [
      'AUTH_PROVIDER_NOT_FOUND',
      'RATE_LIMITED',
      ...FAULTS,
      ...LDAP_FAULTS,
      ...SIGN_ON_FAULTS,
      ...SERVICE_FAULTS,
    ],
  }),
  sync: defineRoute({
    method: 'POST',
    path: '/api/admin/authentication/providers/:providerId/sync',
    summary: 'Synchronize the accounts of a directory as a job, or find out what that would change',
    access,
    feature: 'directoryLogin',
    log: 'authentication.sync',
    params: providerId,
    body: z.strictObject({
      dryRun: z.boolean().default(true),
      /** How many accounts may be locked at most; left out, a third of them. */
      locksMax: z.int().min(0).optional(),
    }),
    reply: z.object({ sync }),
    errors: ['AUTH_PROVIDER_NOT_FOUND', 'PARAMETER_INVALID', 'SYNC_RUNNING'],
  }),
  syncs: defineRoute({
    method: 'GET',
    path: '/api/admin/authentication/syncs',
    summary: 'Synchronizations, the newest first',
    access,
    query: z.object({
      page: listQuery.page,
      size: listQuery.size,
      providerId: z.coerce.number().int().min(1).optional(),
    }),
    reply: listReply(sync),
    errors: [],
  }),
  syncDetail: defineRoute({
    method: 'GET',
    path: '/api/admin/authentication/syncs/:syncId',
    summary: 'One synchronization and how far it is',
    access,
    params: syncId,
    reply: z.object({ sync }),
    errors: ['JOB_NOT_FOUND'],
  }),
  syncChanges: defineRoute({
    method: 'GET',
    path: '/api/admin/authentication/syncs/:syncId/changes',
    summary: 'What a synchronization changes, account by account',
    access,
    params: syncId,
    query: z.object({ page: listQuery.page, size: listQuery.size, change: z.enum(DIRECTORY_CHANGES).optional() }),
    reply: listReply(syncChange),
    errors: ['JOB_NOT_FOUND'],
  }),
}
