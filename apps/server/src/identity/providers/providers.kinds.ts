import type { Clock, Random } from '@godwit/base'
import {
  ACCOUNT_TYPE,
  storedPermission,
  type AccountType,
  type ProviderKind,
  type ProviderSource,
} from '@godwit/contract'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Outbound } from '../../kernel/outbound/index.ts'
import { httpFault } from './http/http.policy.ts'
import { httpProvider } from './http/http.provider.ts'
import { ldapFault } from './ldap/ldap.policy.ts'
import { ldapProvider } from './ldap/ldap.provider.ts'
import { mailLoginFault } from './mail-login/mail-login.policy.ts'
import { mailLoginProvider } from './mail-login/mail-login.provider.ts'
import { oidcFault } from './oidc/oidc.policy.ts'
import { oidcProvider } from './oidc/oidc.provider.ts'
import type { BrowserSignOn, Directory, PasswordSource, Provider, SignOn } from './provider.types.ts'
import { samlFault } from './saml/saml.policy.ts'
import { samlProvider } from './saml/saml.provider.ts'
import { unixProvider } from './unix/unix.provider.ts'
import type { ProviderRow } from './providers.schema.ts'

export interface OpenDeps {
  readonly db: Db
  readonly outbound: Outbound
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
}

/** What a kind is: how its settings are checked and how it is opened. */
interface Kind<Settings> {
  /** Type of its accounts. */
  readonly accountType: AccountType
  /** The first field that is missing or does not fit with another one. */
  readonly fault: (settings: Settings, hasSecret: boolean) => Fault | undefined
  /** Whether a secret that was given for the one may go to the other. */
  readonly isSameTarget: (before: Settings, now: Settings) => boolean
  readonly open: (deps: OpenDeps, settings: Settings, secret: string) => Provider
}

export interface Fault {
  readonly field: string
  readonly code: 'VALUE_REQUIRED' | 'PARAMETER_INVALID'
}

const KINDS: { readonly [Name in ProviderKind]: Kind<Extract<ProviderSource, { kind: Name }>['settings']> } = {
  ldap: {
    accountType: ACCOUNT_TYPE.domain,
    fault: ldapFault,
    isSameTarget(before, now) {
      const isSame = before.host === now.host && before.port === now.port && before.ca === now.ca
      return isSame && (before.encryption === now.encryption || before.encryption === 'none')
    },
    open: (deps, settings, secret) => ldapProvider(deps, { settings, secret }),
  },
  oidc: {
    accountType: ACCOUNT_TYPE.oidc,
    fault: oidcFault,
    isSameTarget: (before, now) =>
      before.issuer === now.issuer && before.clientId === now.clientId && before.ca === now.ca,
    open: (deps, settings, secret) => oidcProvider(deps, { settings, secret }),
  },
  saml: {
    accountType: ACCOUNT_TYPE.saml,
    fault: samlFault,
    // It has no secret.
    isSameTarget: () => true,
    open: (deps, settings) => samlProvider(deps, settings),
  },
  http: {
    accountType: ACCOUNT_TYPE.external,
    fault: httpFault,
    isSameTarget: (before, now) => before.url === now.url && before.ca === now.ca,
    open: (deps, settings, secret) => httpProvider(deps, { settings, secret }),
  },
  email: {
    accountType: ACCOUNT_TYPE.email,
    fault: mailLoginFault,
    isSameTarget: () => true,
    open: (deps, settings) => mailLoginProvider(deps, settings),
  },
  unix: {
    accountType: ACCOUNT_TYPE.linux,
    fault: () => undefined,
    isSameTarget: () => true,
    open: (deps, settings) => unixProvider(deps, settings),
  },
}

/** The kind with settings of its own: what a kind takes follows from its name, which the types cannot tell. */
function kindOf(kind: ProviderKind): Kind<unknown> {
  return KINDS[kind] as Kind<unknown>
}

export function faultOf({ kind, settings }: ProviderSource, hasSecret: boolean): Fault | undefined {
  return kindOf(kind).fault(settings, hasSecret)
}

export function isSameTarget(before: ProviderSource, now: ProviderSource): boolean {
  return before.kind === now.kind && kindOf(now.kind).isSameTarget(before.settings, now.settings)
}

export function openSource(deps: OpenDeps, { kind, settings }: ProviderSource, secret: string): Provider {
  return kindOf(kind).open(deps, settings, secret)
}

export function openProvider(deps: OpenDeps, row: ProviderRow): Provider {
  return openSource(deps, sourceIn(row), secretIn(deps, row))
}

/** @returns undefined for a provider of another kind */
export function openPasswords(deps: OpenDeps, row: ProviderRow): PasswordSource | undefined {
  const provider = openProvider(deps, row)
  return 'check' in provider ? (provider as PasswordSource) : undefined
}

/** @returns undefined for a provider of another kind */
export function openDirectory(deps: OpenDeps, row: ProviderRow): Directory | undefined {
  const provider = openProvider(deps, row)
  return 'people' in provider ? (provider as Directory) : undefined
}

/** @returns undefined for a provider of another kind */
export function openSignOn(deps: OpenDeps, row: ProviderRow): SignOn | undefined {
  const provider = openProvider(deps, row)
  return 'begin' in provider ? (provider as SignOn) : undefined
}

/** @returns undefined for a provider of another kind */
export function openBrowserSignOn(deps: OpenDeps, row: ProviderRow): BrowserSignOn | undefined {
  const provider = openProvider(deps, row)
  return 'signOut' in provider ? (provider as BrowserSignOn) : undefined
}

export function sourceIn({ kind, settings }: Pick<ProviderRow, 'kind' | 'settings'>): ProviderSource {
  return { kind, settings: JSON.parse(settings) as unknown } as ProviderSource
}

export function secretIn({ vault }: Pick<OpenDeps, 'vault'>, row: ProviderRow): string {
  return row.sealed_secret === '' ? '' : vault.open(secretPurpose(row.id), row.sealed_secret)
}

export function secretPurpose(id: number): string {
  return `auth-provider:${id}`
}

/** What a provider's accounts begin with, and how often they are looked through. */
export function originOf(row: ProviderRow) {
  const { kind, settings } = sourceIn(row)
  const { permission, createAtSignIn } = settings
  const syncMinutes = kind === 'ldap' ? settings.syncMinutes : 0
  return {
    ...{ permission: storedPermission(permission), createAtSignIn, syncMinutes },
    accountType: KINDS[kind].accountType,
  }
}
