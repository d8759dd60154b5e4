import { SCIM_PATH } from '@godwit/contract'
import type { AccountField } from '../../identity/provisioning/index.ts'
import type { ProvisionedAccount, WantedAccount } from '../../oversight/provisioning/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Searchable } from './scim.filter.ts'
import {
  listOf,
  partOf,
  patched,
  single,
  type AttributeKind,
  type Attributes,
  type AttributeSpec,
  type Part,
  type Resource,
  type Value,
} from './scim.patch.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const CONTACT_PARTS = ['value', 'type', 'primary']
const kept = (kind: AttributeKind, ...names: readonly string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name.toLowerCase(), { name, kind }]))

const EMAILS: AttributeSpec = { name: 'emails', kind: 'many', parts: CONTACT_PARTS }
const PHONES: AttributeSpec = { name: 'phoneNumbers', kind: 'many', parts: CONTACT_PARTS }
const NAME: AttributeSpec = { name: 'name', kind: 'parts', parts: ['formatted', 'givenName', 'familyName'] }

/** Those of RFC 7643 §4.1 and §4.3. What is not kept here is taken without a word: both systems send whatever they have. */
const USER_ATTRIBUTES: Attributes = {
  ...kept('one', 'userName', 'externalId', 'displayName', 'active', 'department'),
  ...{ name: NAME, emails: EMAILS, phonenumbers: PHONES },
  ...kept(
    'ignored',
    'nickName',
    'profileUrl',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
    'password',
  ),
  ...kept('ignored', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509Certificates'),
  ...kept('ignored', 'employeeNumber', 'costCenter', 'organization', 'division', 'manager'),
  ...kept('fixed', 'id', 'meta', 'groups'),
}

/** What a filter may name. */
export const USER_FIELDS: Searchable<AccountField> = {
  ...{ id: 'id', username: 'userName', externalid: 'externalId', displayname: 'displayName', active: 'active' },
  ...{ 'name.givenname': 'givenName', 'name.familyname': 'familyName', 'name.formatted': 'displayName' },
  ...{ emails: 'email', 'emails.value': 'email' },
}

/** An account as the other side is shown it. */
export function presentUser({ user, link, department, groups }: ProvisionedAccount) {
  const location = `${SCIM_PATH}/Users/${user.id}`
  return {
    schemas: [USER_SCHEMA, ...(department === '' ? [] : [ENTERPRISE_SCHEMA])],
    id: user.id,
    ...(link === undefined || link.external_id === '' ? {} : { externalId: link.external_id }),
    userName: link?.user_name ?? user.account,
    displayName: user.name,
    name: {
      formatted: user.name,
      ...(link === undefined || link.given_name === '' ? {} : { givenName: link.given_name }),
      ...(link === undefined || link.family_name === '' ? {} : { familyName: link.family_name }),
    },
    active: user.locked === 0,
    ...(user.email === '' ? {} : { emails: [{ value: user.email, type: 'work', primary: true }] }),
    ...(user.phone === '' ? {} : { phoneNumbers: [{ value: user.phone, type: 'work', primary: true }] }),
    ...(groups.length === 0 ? {} : { groups: groups.map(({ id, name }) => groupOf(id, name)) }),
    ...(department === '' ? {} : { [ENTERPRISE_SCHEMA]: { department } }),
    meta: {
      resourceType: 'User',
      created: timeOf(user.created_at),
      lastModified: timeOf(link?.changed_at ?? user.created_at),
      location,
      version: versionOf(user.revision),
    },
  }
}

function groupOf(id: number, name: string) {
  return { value: String(id), display: name, type: 'direct', $ref: `${SCIM_PATH}/Groups/${id}` }
}

export function timeOf(ms: number): string {
  return new Date(Number(ms)).toISOString()
}

export function versionOf(revision: number): string {
  return `W/"${revision}"`
}

/** An account after a PATCH. @throws AppError as patched() */
export function patchedUser(account: ProvisionedAccount, body: unknown): Resource {
  const { displayName = '', ...others } = patched(resourceOf(account), body, USER_ATTRIBUTES)
  const isRenamed = displayName !== account.user.name || !('formatted' in ((others['name'] ?? {}) as Part))
  // One name is kept: the last one that was said, under whichever of its two attributes.
  return isRenamed ? { ...others, displayName } : others
}

/** An account as a PATCH changes it: flat, without what this server keeps alone. */
function resourceOf({ user, link, department }: ProvisionedAccount): Resource {
  const contact = (value: string): Part[] => (value === '' ? [] : [{ value, type: 'work', primary: true }])
  return {
    ...{ userName: link?.user_name ?? user.account, externalId: link?.external_id ?? '', displayName: user.name },
    name: { givenName: link?.given_name ?? '', familyName: link?.family_name ?? '' },
    ...{ active: user.locked === 0, department },
    ...{ emails: contact(user.email), phoneNumbers: contact(user.phone) },
  }
}

/** A message that describes a whole account. @throws AppError SCIM_BODY_INVALID, SCIM_VALUE_INVALID */
export function resourceIn(body: Readonly<Record<string, unknown>>): Resource {
  const given = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
  const schemas = given.get('schemas')
  if (!Array.isArray(schemas) || !schemas.includes(USER_SCHEMA)) throw new AppError('SCIM_BODY_INVALID')
  const extension = given.get(ENTERPRISE_SCHEMA.toLowerCase())
  if (typeof extension === 'object' && extension !== null)
    for (const [key, value] of Object.entries(extension)) given.set(key.toLowerCase(), value)
  return Object.fromEntries(
    Object.entries(USER_ATTRIBUTES).flatMap(([key, spec]): Array<[string, Value]> => {
      const value = given.get(key)
      if (value === undefined || value === null) return []
      if (spec.kind === 'one') return [[spec.name, single(value, spec.name)]]
      if (spec.kind === 'parts') return [[spec.name, partOf(value, spec)]]
      return spec.kind === 'many' ? [[spec.name, listOf(value).map((each) => partOf(each, spec))]] : []
    }),
  )
}

/** @throws AppError SCIM_VALUE_INVALID */
export function wantedAccount(resource: Resource): WantedAccount {
  const name = (resource['name'] ?? {}) as Part
  return {
    ...{ userName: textOf(resource, 'userName'), externalId: textOf(resource, 'externalId') },
    displayName: textOf(resource, 'displayName') || textOf(name, 'formatted'),
    ...{ givenName: textOf(name, 'givenName'), familyName: textOf(name, 'familyName') },
    email: contactIn(resource, EMAILS),
    phone: contactIn(resource, PHONES),
    department: textOf(resource, 'department'),
    isActive: flagOf(resource['active']),
  }
}

function textOf(held: Resource, name: string): string {
  const value = held[name] ?? ''
  if (typeof value !== 'string') throw new AppError('SCIM_VALUE_INVALID', { attribute: name })
  return value.normalize('NFC').trim()
}

/** The primary one, else the one of the work place, else the first. */
function contactIn(resource: Resource, { name }: AttributeSpec): string {
  const all = ((resource[name] ?? []) as readonly Part[]).filter((each) => (each['value'] ?? '') !== '')
  const isPrimary = (each: Part) => String(each['primary']).toLowerCase() === 'true'
  const chosen = all.find(isPrimary) ?? all.find((each) => each['type'] === 'work') ?? all[0]
  return chosen === undefined ? '' : textOf(chosen, 'value')
}

/** Entra ID writes "True" and "False". Who is not said to be switched off is on. @throws AppError SCIM_VALUE_INVALID */
function flagOf(value: unknown = true): boolean {
  const text = typeof value === 'boolean' || typeof value === 'string' ? String(value).toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw new AppError('SCIM_VALUE_INVALID', { attribute: 'active' })
  return text === 'true'
}
