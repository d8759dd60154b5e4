import { inflateRawSync } from 'node:zlib'
import type { SamlSettings } from '@godwit/contract'
import { KiB } from '@godwit/base'
import { elementsIn, parseXml, type XmlElement } from '../../../kernel/xml.ts'
import { placesOf } from '../people.policy.ts'
import type { Person } from '../provider.types.ts'

/** Of an answer or a notice; many have a tenth of it. */
export const MESSAGE_MAX_BYTES = 256 * KiB
/** Clocks of provider and server may differ by this much. */
export const SKEW_MS = 2 * 60_000

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
/** Without SHA-1, whose collisions are made to order, and without keys that both sides know. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  ...['256', '384', '512'].map((bits) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`),
  ...['256', '512'].map((bits) => `http://www.w3.org/2001/04/xmlenc#sha${bits}`),
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
])
const KEY_MAX = 250
const LOGIN_MAX = 255
const SESSION_MAX = 255

/** Why a message proves nothing; for the log and the administrator, and never a secret. */
export class SamlFault extends Error {
  override readonly name = 'SamlFault'
}

/**
 * Reads a message only far enough to refuse what nobody sends in earnest: document types, comments (which could hide part of
 * a name from a reader), weak algorithms, and more than anybody needs. It proves nothing.
 * @throws SamlFault
 */
export function openMessage(xml: string): XmlElement {
  if (Buffer.byteLength(xml) > MESSAGE_MAX_BYTES) throw new SamlFault('too long')
  if (xml.includes('<!')) throw new SamlFault('a document type, a comment or CDATA')
  const root = parsed(xml)
  for (const element of descendants(root)) {
    const isMethod = ['SignatureMethod', 'DigestMethod'].some((name) => element.name === `{${SIGNATURE}}${name}`)
    if (isMethod && !ALGORITHMS.has(attribute(element, 'Algorithm')))
      throw new SamlFault('an algorithm that is too weak')
  }
  return root
}

function parsed(xml: string): XmlElement {
  try {
    return parseXml(xml)
  } catch (thrown) {
    throw new SamlFault('not XML', { cause: thrown })
  }
}

function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of elementsIn(element)) yield* descendants(child)
}

function attribute({ attributes }: XmlElement, name: string): string {
  return attributes.find(([each]) => each === name)?.[1] ?? ''
}

/** @throws SamlFault when it is no answer, or one for another address */
export function requireAnswer(root: XmlElement, answersTo: string): void {
  if (root.name !== `{${PROTOCOL}}Response`) throw new SamlFault('not an answer')
  const destination = attribute(root, 'Destination')
  if (destination !== '' && destination !== answersTo) throw new SamlFault('for another recipient')
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Why the provider did not sign somebody in, in its own word; undefined when it did. Nobody gets in by it. */
export function refusalIn(root: XmlElement): string | undefined {
  const status = elementsIn(root).find(({ name }) => name === `{${PROTOCOL}}Status`)
  const codes = status === undefined ? [] : [...descendants(status)].map((element) => attribute(element, 'Value'))
  const named = codes.filter((code) => code !== '')
  return named[0] === SUCCESS ? undefined : (named.at(-1) ?? '').replace(/^.*:/, '').slice(0, 64)
}

/** Text of a message that came in a query, where it is compressed. @throws SamlFault */
export function inflated(message: string): string {
  try {
    return inflateRawSync(Buffer.from(message, 'base64'), { maxOutputLength: MESSAGE_MAX_BYTES }).toString('utf8')
  } catch (thrown) {
    throw new SamlFault('not compressed as it should be, or too long', { cause: thrown })
  }
}

export interface SignOut {
  readonly issuer: string
  /** Unix milliseconds. */
  readonly at: number
  /** How many sessions it names. */
  readonly sessions: number
}

/** @throws SamlFault when it asks for no sign-out, or for one at another address or another time */
export function signOutIn(
  root: XmlElement,
  { signOutsTo, now }: { readonly signOutsTo: string; readonly now: number },
): SignOut {
  if (root.name !== `{${PROTOCOL}}LogoutRequest`) throw new SamlFault('not a sign-out')
  const destination = attribute(root, 'Destination')
  if (destination !== '' && destination !== signOutsTo) throw new SamlFault('for another recipient')
  const at = Date.parse(attribute(root, 'IssueInstant'))
  if (!(Math.abs(now - at) <= SKEW_MS)) throw new SamlFault('too old')
  const sessions = elementsIn(root).filter(({ name }) => name === `{${PROTOCOL}}SessionIndex`).length
  return { issuer: issuerIn(root), at, sessions }
}

/** Only to know whom to ask. */
export function issuerIn(root: XmlElement): string {
  const issuer = elementsIn(root).find(({ name }) => name === '{urn:oasis:names:tc:SAML:2.0:assertion}Issuer')
  return (
    issuer?.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim() ?? ''
  )
}

const SIGNED = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature']

/** A query has each part once and no other, so that what was signed is what is read. @throws SamlFault */
export function requireSignedQuery(query: string): ReadonlyMap<string, string> {
  const pairs = [...new URLSearchParams(query)]
  const parts = new Map(pairs)
  const isPlain = parts.size === pairs.length && pairs.every(([name]) => SIGNED.includes(name))
  if (!isPlain || !parts.has('SAMLRequest') || !parts.has('Signature')) throw new SamlFault('not signed')
  if (!ALGORITHMS.has(parts.get('SigAlg') ?? '')) throw new SamlFault('an algorithm that is too weak')
  return parts
}

/** An assertion as the library gives it: prefixes taken off, every child in a list. */
interface Node {
  readonly $?: Readonly<Record<string, string>>
  readonly [name: string]: unknown
}

export interface Expected {
  readonly answersTo: string
  readonly requestId: string
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * The subject is confirmed for the bearer of this very request, here and now (SAML 2.0 Profiles §4.1.4.2). The signature, the
 * audience and the times of the conditions were checked before.
 * @throws SamlFault
 */
export function requireConfirmation(assertion: unknown, { answersTo, requestId, now }: Expected): void {
  const [subject] = nodes((assertion as Node)['Subject'])
  const isFor = nodes(subject?.['SubjectConfirmation']).some((confirmation) => {
    const [data] = nodes(confirmation['SubjectConfirmationData'])
    const { Recipient, InResponseTo, NotOnOrAfter = '', NotBefore } = data?.$ ?? {}
    const isMine = confirmation.$?.['Method'] === BEARER && Recipient === answersTo && InResponseTo === requestId
    return isMine && NotBefore === undefined && Date.parse(NotOnOrAfter) + SKEW_MS > now
  })
  if (!isFor) throw new SamlFault('for another recipient, another sign-in, or another time')
}

function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? (value as readonly Node[]) : []
}

export interface ProvenSubject {
  readonly nameID: string
  readonly nameIDFormat?: string | undefined
  readonly sessionIndex?: string | undefined
  readonly attributes?: unknown
}

/** @returns undefined for a subject that lacks what an account stands on: a name that stays, and one to be called by */
export function personOfSubject(settings: SamlSettings, subject: ProvenSubject): Person | undefined {
  const { account, name, email, phone, department, groups } = settings.attributes
  const key = subject.nameID.trim()
  const values = (subject.attributes ?? {}) as Readonly<Record<string, unknown>>
  const login = account === '' ? key : (textOf(values, account) ?? '')
  const isLasting = subject.nameIDFormat !== TRANSIENT
  if (!isLasting || key === '' || key.length > KEY_MAX || login === '' || login.length > LOGIN_MAX) return undefined
  return {
    ...{ key, login, isDisabled: false },
    name: textOf(values, name),
    // SAML does not say whether anybody proved an address.
    email: settings.trustEmail ? textOf(values, email) : undefined,
    phone: textOf(values, phone),
    department: textOf(values, department),
    ...placesIn(settings, values, groups),
  }
}

/** Undefined where the provider does not say it, so that what is here stays. */
function textOf(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const [text] = listOf(values, name)
  return text?.normalize('NFC').trim()
}

function listOf(values: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = name !== '' && Object.hasOwn(values, name) ? values[name] : undefined
  return [value].flat().filter((each) => typeof each === 'string')
}

/** A provider leaves the attribute out for somebody without groups, so a missing one is none. */
function placesIn({ groups }: SamlSettings, values: Readonly<Record<string, unknown>>, name: string) {
  if (name === '') return { groupIds: undefined, departmentId: undefined }
  const names = new Set(listOf(values, name))
  return placesOf(groups.filter((group) => names.has(group.name)))
}

/** One session, or '' where there is none or several. */
export function sessionOf({ sessionIndex }: Pick<ProvenSubject, 'sessionIndex'>, sessions = 1): string {
  return sessions === 1 ? (sessionIndex ?? '').slice(0, SESSION_MAX) : ''
}

/** What keeps settings from being usable, whatever the provider says. */
export function samlFault({ metadata, metadataUrl }: SamlSettings) {
  if (metadata === '' && metadataUrl === '') return { field: 'metadataUrl', code: 'VALUE_REQUIRED' } as const
  const isAddress = metadataUrl === '' || (URL.canParse(metadataUrl) && new URL(metadataUrl).protocol === 'https:')
  return isAddress ? undefined : ({ field: 'metadataUrl', code: 'PARAMETER_INVALID' } as const)
}
