import type { Clock } from '@godwit/base'
import { storedPermission, type LdapSettings, type ProviderKind, type ProviderSource } from '@godwit/contract'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Outbound } from '../../kernel/outbound/index.ts'
import { ldapFault } from './ldap/ldap.policy.ts'
import { ldapProvider } from './ldap/ldap.provider.ts'
import type { Provider } from './provider.types.ts'
import type { ProviderRow } from './providers.schema.ts'

export interface OpenDeps {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly vault: Vault
}

/** What a kind is: how its settings are checked and how it is opened. */
interface Kind<Settings> {
  /** The first field that is missing or does not fit with another one. */
  readonly fault: (settings: Settings, hasSecret: boolean) => Fault | undefined
  readonly open: (deps: OpenDeps, settings: Settings, secret: string) => Provider
}

export interface Fault {
  readonly field: string
  readonly code: 'VALUE_REQUIRED' | 'PARAMETER_INVALID'
}

const KINDS: { readonly [Name in ProviderKind]: Kind<Extract<ProviderSource, { kind: Name }>['settings']> } = {
  ldap: {
    fault: ldapFault,
    open: (deps, settings, secret) => ldapProvider(deps, { settings, secret }),
  },
}

export function faultOf({ kind, settings }: ProviderSource, hasSecret: boolean): Fault | undefined {
  return KINDS[kind].fault(settings, hasSecret)
}

export function openSource(deps: OpenDeps, { kind, settings }: ProviderSource, secret: string): Provider {
  return KINDS[kind].open(deps, settings, secret)
}

export function openProvider(deps: OpenDeps, row: ProviderRow): Provider {
  return openSource(deps, sourceIn(row), secretIn(deps, row))
}

export function sourceIn({ kind, settings }: ProviderRow): ProviderSource {
  return { kind: kind as ProviderKind, settings: JSON.parse(settings) as LdapSettings }
}

export function secretIn({ vault }: Pick<OpenDeps, 'vault'>, row: ProviderRow): string {
  return row.sealed_secret === '' ? '' : vault.open(secretPurpose(row.id), row.sealed_secret)
}

export function secretPurpose(id: number): string {
  return `auth-provider:${id}`
}

/** What a provider's accounts begin with, and how often they are looked through. */
export function originOf(row: ProviderRow) {
  const { permission, createAtSignIn, syncMinutes } = sourceIn(row).settings
  return { permission: storedPermission(permission), createAtSignIn, syncMinutes }
}
