import type {
  AuthProvider,
  AuthProviderChange,
  LdapSettings,
  NewAuthProvider,
  TriedAuthProvider,
} from '@godwit/contract'
import { DEFAULT_PERMISSION, wirePermission } from '@godwit/contract/permissions'
import { ON } from '../../../ui/form/index.ts'
import { changeBody, newBody, triedWithSomebody } from './provider-bodies.ts'

const ATTRIBUTES = ['account', 'name', 'email', 'phone', 'department', 'id'] as const
export type AttributeName = (typeof ATTRIBUTES)[number]

export type ProviderField =
  | 'title'
  | 'enabled'
  | 'serverType'
  | 'host'
  | 'encryption'
  | 'port'
  | 'ca'
  | 'base'
  | 'bindUser'
  | 'secret'
  | 'filter'
  | 'createAtSignIn'
  | 'permission'
  | 'groups'
  | 'syncMinutes'
  | 'testAccount'
  | 'testPassword'
  | AttributeName
export type ProviderValues = Readonly<Record<ProviderField, string>>

/** What directories of each type call things. */
export const USUAL: Readonly<Record<LdapSettings['serverType'], Readonly<Record<AttributeName, string>>>> = {
  OpenLdap: {
    ...{ account: 'uid', name: 'cn', email: 'mail', phone: 'telephoneNumber', department: 'departmentNumber' },
    id: 'entryUUID',
  },
  AD: {
    ...{ account: 'sAMAccountName', name: 'displayName', email: 'mail', phone: 'telephoneNumber' },
    ...{ department: 'department', id: 'objectGUID' },
  },
}

/** The port that an encryption has unless somebody moved it. */
export function usualPort(encryption: string): string {
  return encryption === 'ldaps' ? '636' : '389'
}

export const NEW_PROVIDER: ProviderValues = {
  // The field of a provider's own name is `title`: the attribute with the names of people is `name`.
  ...{ title: '', enabled: ON, serverType: 'OpenLdap', host: '', encryption: 'starttls', port: '389', ca: '' },
  ...{ base: '', bindUser: '', secret: '', filter: '', createAtSignIn: ON },
  ...{ permission: String(wirePermission(DEFAULT_PERMISSION)), groups: '[]', syncMinutes: '0' },
  ...{ testAccount: '', testPassword: '' },
  ...USUAL.OpenLdap,
}

/** A provider that is a directory. */
export type DirectoryProvider = Omit<AuthProvider, 'source'> & {
  readonly source: { readonly kind: 'ldap'; readonly settings: LdapSettings }
}

export function isDirectory(provider: AuthProvider): provider is AuthProvider & DirectoryProvider {
  return provider.source.kind === 'ldap'
}

export function valuesOf({ name, enabled, source: { settings } }: DirectoryProvider): ProviderValues {
  const { serverType, host, encryption, port, ca, base, bindUser, filter, attributes } = settings
  const { createAtSignIn, permission, groups, syncMinutes } = settings
  return {
    ...{ title: name, enabled: enabled ? ON : '', serverType, host, encryption, port: String(port), ca },
    ...{ base, bindUser, secret: '', filter, createAtSignIn: createAtSignIn ? ON : '' },
    ...{ permission: String(permission), groups: JSON.stringify(groups), syncMinutes: String(syncMinutes) },
    ...{ testAccount: '', testPassword: '' },
    ...attributes,
  }
}

/** A mapping as the form has it: `group:3`, `department:4`, or nothing yet. */
export interface Mapping {
  readonly dn: string
  readonly target: string
}

export function mappingsOf(groups: string): readonly Mapping[] {
  return (JSON.parse(groups) as LdapSettings['groups']).map(({ dn, groupId, departmentId }) => ({
    dn,
    target:
      groupId === undefined ? (departmentId === undefined ? '' : `department:${departmentId}`) : `group:${groupId}`,
  }))
}

export function groupsOf(mappings: readonly Mapping[]): string {
  return JSON.stringify(
    mappings.map(({ dn, target }) => {
      const [kind, id] = target.split(':')
      return { dn, ...(id === undefined ? {} : { [kind === 'group' ? 'groupId' : 'departmentId']: Number(id) }) }
    }),
  )
}

interface NamedGroup {
  readonly name: string
  readonly groupId?: number | undefined
  readonly departmentId?: number | undefined
}

/** Groups that have a plain name at their provider, as the list of the form has them: it calls what it maps `dn`. */
export function formGroups(groups: readonly NamedGroup[]): string {
  return JSON.stringify(groups.map(({ name: dn, ...target }) => ({ dn, ...target })))
}

export function namedGroups(value: string): NamedGroup[] {
  const groups = JSON.parse(value) as LdapSettings['groups']
  return groups.flatMap(({ dn, ...target }) => (dn.trim() === '' ? [] : [{ name: dn, ...target }]))
}

export function sourceOf(values: ProviderValues): DirectoryProvider['source'] {
  const attributes = Object.fromEntries(ATTRIBUTES.map((name) => [name, values[name].trim()]))
  return {
    kind: 'ldap',
    settings: {
      serverType: values.serverType as LdapSettings['serverType'],
      encryption: values.encryption as LdapSettings['encryption'],
      ...{ host: values.host.trim(), port: Number(values.port), ca: values.ca.trim(), base: values.base.trim() },
      ...{ bindUser: values.bindUser.trim(), filter: values.filter.trim() },
      attributes: attributes as LdapSettings['attributes'],
      groups: (JSON.parse(values.groups) as LdapSettings['groups']).filter(({ dn }) => dn.trim() !== ''),
      permission: Number(values.permission),
      createAtSignIn: values.createAtSignIn === ON,
      syncMinutes: Number(values.syncMinutes),
    },
  }
}

export function newProviderOf(values: ProviderValues): NewAuthProvider & Pick<DirectoryProvider, 'source'> {
  return newBody(values, sourceOf(values))
}

export function providerChangeOf(values: ProviderValues, base: ProviderValues, revision: number): AuthProviderChange {
  return changeBody({ values, base, sourceOf, revision })
}

export function triedProviderOf(values: ProviderValues, providerId: number | undefined): TriedAuthProvider {
  return triedWithSomebody(values, sourceOf(values), providerId)
}
