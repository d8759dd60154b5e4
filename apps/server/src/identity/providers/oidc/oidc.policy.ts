import type { OidcSettings } from '@godwit/contract'
import { placesOf } from '../people.policy.ts'
import type { Person } from '../provider.types.ts'

export type Claims = Readonly<Record<string, unknown>>

const KEY_MAX = 250
const LOGIN_MAX = 255

/** @returns undefined for claims that lack what an account stands on: the subject or the name */
export function personOfClaims(settings: OidcSettings, claims: Claims): Person | undefined {
  const { account, name, email, phone, department, groups } = settings.claims
  const key = typeof claims['sub'] === 'string' ? claims['sub'] : ''
  const login = textOf(claims, account) ?? ''
  if (key === '' || key.length > KEY_MAX || login === '' || login.length > LOGIN_MAX) return undefined
  const isVerified = settings.trustEmail || claims['email_verified'] === true || claims['email_verified'] === 'true'
  return {
    ...{ key, login, isDisabled: false },
    name: textOf(claims, name),
    // An address that nobody proved could be somebody else's.
    email: isVerified ? textOf(claims, email) : undefined,
    phone: textOf(claims, phone),
    department: textOf(claims, department),
    ...placesIn(settings, claims, groups),
  }
}

/** Undefined where the provider does not say it, so that what is here stays. */
function textOf(claims: Claims, path: string): string | undefined {
  const value = path === '' ? undefined : valueAt(claims, path)
  const text = Array.isArray(value) ? (value as readonly unknown[])[0] : value
  return typeof text === 'string' ? text.normalize('NFC').trim() : undefined
}

/** A claim of this very name, or else the path to it within others. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

/** Too many groups for a token are told by a reference instead (`_claim_names`); then they are not known. */
function placesIn({ groups }: OidcSettings, claims: Claims, path: string): Pick<Person, 'groupIds' | 'departmentId'> {
  const elsewhere = claims['_claim_names']
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, path)
  if (path === '' || isElsewhere) return { groupIds: undefined, departmentId: undefined }
  const value = valueAt(claims, path)
  const names = new Set((Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string'))
  return placesOf(groups.filter(({ name }) => names.has(name)))
}

/** What keeps settings from being usable, whatever the provider says. */
export function oidcFault({ issuer, clientId }: OidcSettings) {
  if (issuer === '') return { field: 'issuer', code: 'VALUE_REQUIRED' } as const
  if (!isIssuer(issuer)) return { field: 'issuer', code: 'PARAMETER_INVALID' } as const
  return clientId === '' ? ({ field: 'clientId', code: 'VALUE_REQUIRED' } as const) : undefined
}

/** OpenID Connect Discovery 1.0 §3: https, no query, no fragment. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  return protocol === 'https:' && search === '' && hash === '' && username === '' && password === ''
}
