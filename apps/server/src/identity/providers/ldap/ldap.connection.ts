import { isIP } from 'node:net'
import type { LdapSettings, ProviderTestStep } from '@godwit/contract'
import type { Client } from 'ldapts'
import { AppError } from '../../../kernel/errors.ts'
import { OutboundError, type Outbound } from '../../../kernel/outbound/index.ts'
import type { LdapEntry } from './ldap.policy.ts'

export interface LdapDeps {
  readonly outbound: Outbound
}

export interface LdapTarget {
  readonly settings: LdapSettings
  /** Password of the bind user. */
  readonly secret: string
}

/** A connection that is signed in as the bind user. */
export interface LdapSession {
  search(base: string, wanted: Search): Promise<LdapEntry[]>
  pages(base: string, wanted: Search): AsyncIterable<LdapEntry[]>
  /** Whether the directory takes this password for this entry. The session is that entry's from then on. */
  isPasswordOf(dn: string, password: string): Promise<boolean>
}

export interface Search {
  readonly filter: string
  readonly attributes: readonly string[]
  readonly scope?: 'base' | 'sub'
}

export interface SessionOptions {
  /** Longest wait for one answer. */
  readonly answerMs: number
  /** Ends the connection, whatever it waits for. */
  readonly signal: AbortSignal
  /** Called as each step of the way is proved. */
  readonly onStep?: (step: ProviderTestStep) => void
}

const PAGE = 500

/**
 * Connects, encrypts and signs in, and closes the connection whatever happens. Referrals to other servers are not followed.
 * @throws AppError LDAP_UNREACHABLE, LDAP_CERTIFICATE_INVALID, LDAP_BIND_FAILED, LDAP_SEARCH_FAILED, LDAP_ANSWER_INVALID
 */
export async function withSession<T>(
  deps: LdapDeps,
  target: LdapTarget,
  options: SessionOptions,
  work: (session: LdapSession) => Promise<T>,
): Promise<T> {
  // Most servers have no directory; until somebody needs it, the library takes no memory.
  const { Client: LdapClient } = await import('ldapts')
  const { settings } = target
  const address = await addressOf(deps, settings)
  const host = isIP(address) === 6 ? `[${address}]` : address
  const isLdaps = settings.encryption === 'ldaps'
  const client = new LdapClient({
    url: `${isLdaps ? 'ldaps' : 'ldap'}://${host}:${settings.port}`,
    timeout: options.answerMs,
    connectTimeout: options.answerMs,
    ...(isLdaps ? { tlsOptions: tlsOptions(settings) } : {}),
  })
  const { signal } = options
  // The library does not look at the time while it changes to TLS.
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(unreachable('connect', signal.reason))
  signal.addEventListener('abort', end, { once: true })
  try {
    if (signal.aborted) end()
    const done = open(client, target, options).then(() => work(sessionOn(client)))
    return await Promise.race([done, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
    // Nothing more is wanted of it, so it does not matter whether the farewell arrives.
    client.unbind().catch(() => undefined)
  }
}

/** The name is checked although the connection goes to the address that was looked at. */
function tlsOptions({ host, ca }: LdapSettings) {
  return {
    host,
    minVersion: 'TLSv1.2' as const,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === '' ? {} : { ca }),
  }
}

async function addressOf({ outbound }: LdapDeps, { host }: LdapSettings): Promise<string> {
  try {
    return await outbound.addressOf(host)
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown
    const details = { step: 'connect', field: 'host', reason: thrown.reason }
    throw new AppError('LDAP_UNREACHABLE', details, { cause: thrown })
  }
}

async function open(client: Client, { settings, secret }: LdapTarget, { onStep }: SessionOptions): Promise<void> {
  const { encryption, bindUser } = settings
  // The first request opens the connection, and what it is differs by encryption; an empty search is allowed to everybody.
  await onStepOf('connect', () => connect(client, settings))
  onStep?.('connect')
  if (encryption !== 'none') onStep?.('tls')
  if (bindUser === '') return
  try {
    await client.bind(bindUser, secret)
  } catch (thrown) {
    if (!isResult(thrown)) throw unreachable('bind', thrown)
    throw new AppError('LDAP_BIND_FAILED', { step: 'bind', field: 'bindUser' }, { cause: thrown })
  }
  onStep?.('bind')
}

async function connect(client: Client, settings: LdapSettings): Promise<void> {
  if (settings.encryption === 'starttls') return client.startTLS(tlsOptions(settings))
  const root = { scope: 'base', filter: '(objectClass=*)', attributes: ['supportedLDAPVersion'] } as const
  // Whatever it answers, it is an LDAP server that answers.
  await client.search('', { ...root, attributes: [...root.attributes] }).catch((thrown: unknown) => {
    if (!isResult(thrown)) throw thrown
  })
}

async function onStepOf<T>(step: ProviderTestStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw unreachable(step, thrown)
  }
}

/** What keeps a connection from coming about or lets it end. */
function unreachable(step: ProviderTestStep, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const { code = '', message = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {}
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)) {
    const field = /ALTNAME/.test(code) ? 'host' : 'ca'
    return new AppError('LDAP_CERTIFICATE_INVALID', { step: 'tls', field, reason: code }, { cause })
  }
  const isTls = /SSL|TLS/.test(code) || /SSL|TLS|secure/i.test(message) || isResult(cause)
  const field = isTls ? 'encryption' : 'host'
  return new AppError('LDAP_UNREACHABLE', { step: isTls ? 'tls' : step, field }, { cause })
}

/** Whether the server itself answered with a refusal, as the code of a result (RFC 4511 §4.1.9). */
function isResult(thrown: unknown): thrown is Error & { readonly code: number } {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number'
}

/** Results that say that the password is not the right one, or that the entry may not sign in. */
const REFUSALS: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 50, 53])

function sessionOn(client: Client): LdapSession {
  return {
    async search(base, wanted) {
      try {
        return (await client.search(base, optionsOf(wanted))).searchEntries.map(entryOf)
      } catch (thrown) {
        throw searchFault(thrown)
      }
    },
    async *pages(base, wanted) {
      try {
        const found = client.searchPaginated(base, { ...optionsOf(wanted), paged: { pageSize: PAGE } })
        for await (const { searchEntries } of found) yield searchEntries.map(entryOf)
      } catch (thrown) {
        throw searchFault(thrown)
      }
    },
    async isPasswordOf(dn, password) {
      // A bind without a name or a password succeeds and proves nothing (RFC 4513 §5.1.2).
      if (dn === '' || password.trim() === '' || password.includes('\0')) return false
      try {
        await client.bind(dn, password)
        return true
      } catch (thrown) {
        if (isResult(thrown) && REFUSALS.has(thrown.code)) return false
        throw unreachable('password', thrown)
      }
    },
  }
}

function optionsOf({ filter, attributes, scope = 'sub' }: Search) {
  const names = [...attributes]
  // Servers answer with their own spelling of a name; this one is binary.
  const binary = [...names, 'objectGUID']
  return { scope, filter, attributes: names, explicitBufferAttributes: binary, derefAliases: 'never' as const }
}

function entryOf({ dn, ...values }: { readonly dn: string; readonly [name: string]: unknown }): LdapEntry {
  const attributes = new Map<string, readonly Buffer[]>()
  for (const [name, value] of Object.entries(values)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    attributes.set(name.toLowerCase(), list.map(bytesOf))
  }
  return { dn, attributes }
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value))
}

/** No such object, a wrong name of one, or a filter that the server or the library does not take. */
const FIELDS: Readonly<Record<number, string>> = { 32: 'base', 34: 'base', 10: 'base', 50: 'bindUser', 1: 'bindUser' }
const PARTIAL: ReadonlySet<number> = new Set([3, 4, 11])

function searchFault(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (isResult(thrown)) {
    const step = { step: 'search', result: thrown.code }
    if (PARTIAL.has(thrown.code)) return new AppError('LDAP_ANSWER_INVALID', step, { cause: thrown })
    const field = FIELDS[thrown.code] ?? 'filter'
    return new AppError('LDAP_SEARCH_FAILED', { ...step, field }, { cause: thrown })
  }
  const isFilter = thrown instanceof Error && /filter|paren|escap/i.test(thrown.message)
  if (isFilter) return new AppError('LDAP_SEARCH_FAILED', { step: 'search', field: 'filter' }, { cause: thrown })
  return new AppError('LDAP_ANSWER_INVALID', { step: 'search' }, { cause: thrown })
}
