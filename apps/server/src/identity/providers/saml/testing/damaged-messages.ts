import { X509Certificate } from 'node:crypto'
import { randomBelow, seededRandom, systemClock, type Random } from '@godwit/base'
import { SAML_FAULTS, samlAnswer, samlSignOut, signedQuery, signedXml, type SamlFault } from '@godwit/testkit'
import { makeSelfSigned } from '../../../../foundation/certificates/index.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { readMetadata } from '../saml.metadata.ts'
import { provenSignOut, provenSubject, type SamlRoles } from '../saml.proofs.ts'

const ISSUER = 'https://idp.example.org/metadata'
const HERE = 'https://files.example.org'
const SERVICE = { entityId: `${HERE}/metadata`, answersTo: `${HERE}/answers`, signOutsTo: `${HERE}/sign-outs` }
const LOGIN = 'li.wei'
const ASKED = { id: '_request', answersTo: SERVICE.answersTo, audience: SERVICE.entityId }
const TOLD = { login: LOGIN, attributes: { displayName: 'Li Wei', memberOf: ['lab', 'guests'] } }
/** Messages are valid for minutes, so they are made anew after so many. */
const ROUND = 20

const PROVEN = JSON.stringify([LOGIN, 'Li Wei', ['lab', 'guests']])
const CLOCK = { clock: systemClock }

/** Faults inside of what is signed, or of the signature: no damage mends them. */
const NEVER_SOUND: readonly SamlFault[] = [
  ...(['unsigned', 'other-key', 'sha1', 'response-signed', 'wrapped', 'wrapped-inside'] as const),
  ...(['audience', 'recipient', 'expired', 'early', 'unasked', 'issuer'] as const),
]

export const SAML_KINDS = ['answers', 'sign-outs by form', 'sign-outs by query', 'metadata'] as const
export type SamlKind = (typeof SAML_KINDS)[number]

/**
 * Reads so many damaged messages of one kind.
 * @returns how often each outcome came: an error code, `sound` for what still says only what was signed, and whatever else came
 * of it in its own words
 */
export async function readDamagedMessages(
  kind: SamlKind,
  count: number,
  seed: number,
): Promise<ReadonlyMap<string, number>> {
  const random = seededRandom(seed)
  const keys = await openProvider()
  const outcomes = new Map<string, number>()
  // Before anything is damaged, everything is as it should be: one outcome is sound.
  let sent = made(kind, keys, '')
  outcomes.set(await outcomeOf(kind, sent.message, keys), 1)
  for (let turn = 0; turn < count; turn++) {
    if (turn % ROUND === 0) sent = made(kind, keys, faultOf(random))
    const outcome = await outcomeOf(kind, damaged(sent.message, kind, random), keys)
    const told = outcome === 'sound' && NEVER_SOUND.includes(sent.fault) ? `believed although ${sent.fault}` : outcome
    outcomes.set(told, (outcomes.get(told) ?? 0) + 1)
  }
  return outcomes
}

const EXPECTED = /^(?:sound|of another provider|SIGN_ON_REFUSED|SIGN_ON_ANSWER_INVALID|SAML_METADATA_INVALID)$/

/** Outcomes that must not be. */
export function strangeOutcomes(outcomes: ReadonlyMap<string, number>): readonly string[] {
  return [...outcomes.keys()].filter((outcome) => !EXPECTED.test(outcome))
}

interface Keys {
  readonly certificate: string
  readonly key: string
  readonly otherKey: string
  readonly roles: SamlRoles
}

async function openProvider(): Promise<Keys> {
  const make = () =>
    makeSelfSigned({ names: ['idp.example.org'], days: 2, now: Date.now(), serial: new Uint8Array(16).fill(1) })
  const [own, other] = [await make(), await make()]
  const provider = { entityId: ISSUER, signInUrl: ISSUER, signOutUrl: ISSUER, certificates: [own.certificate] }
  return { ...own, otherKey: other.key, roles: { provider, service: SERVICE } }
}

interface Sent {
  readonly message: string
  readonly fault: SamlFault
}

/** A provider does every second answer wrong. */
function faultOf(random: Random): SamlFault {
  return randomBelow(random, 2) === 0 ? '' : (one(SAML_FAULTS, random) ?? '')
}

/** As it is sent: an answer with a fault, everything else as it should be. */
function made(kind: SamlKind, { key, otherKey, certificate }: Keys, fault: SamlFault): Sent {
  const signOut = (): string => samlSignOut(ISSUER, SERVICE.signOutsTo, LOGIN)
  switch (kind) {
    case 'answers':
      return { message: samlAnswer({ issuer: ISSUER, key, otherKey }, ASKED, TOLD, fault), fault }
    case 'sign-outs by form':
      return { message: base64(signedXml(signOut(), 'LogoutRequest', key)), fault: '' }
    case 'sign-outs by query':
      return { message: signedQuery('SAMLRequest', signOut(), { relayState: 'relayed', key }), fault: '' }
    case 'metadata':
      return { message: metadataOf(certificate), fault: '' }
  }
}

function metadataOf(certificate: string): string {
  const body = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
  return [
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ISSUER}">`,
    '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    '<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
    `<ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    `<md:SingleLogoutService Binding="${redirect}" Location="https://idp.example.org/slo"/>`,
    `<md:SingleSignOnService Binding="${redirect}" Location="https://idp.example.org/sso"/>`,
    '</md:IDPSSODescriptor></md:EntityDescriptor>',
  ].join('\n')
}

async function outcomeOf(kind: SamlKind, message: string, { roles }: Keys): Promise<string> {
  try {
    if (kind === 'metadata') return faultOfMetadata(message)
    if (kind === 'answers') {
      const { nameID, attributes } = await provenSubject(CLOCK, roles, {
        posted: message,
        kept: { requestId: ASKED.id },
      })
      const said = (attributes ?? {}) as Readonly<Record<string, unknown>>
      const proven = JSON.stringify([nameID, said['displayName'], said['memberOf']])
      return proven === PROVEN ? 'sound' : `proves ${proven}`
    }
    const way = kind === 'sign-outs by query' ? { query: message } : { request: message, relayState: '' }
    const proven = await provenSignOut(CLOCK, roles, { origin: HERE, ...way })
    if (proven === undefined) return 'of another provider'
    return proven.profile.nameID === LOGIN ? 'sound' : `signs out ${proven.profile.nameID}`
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown)
  }
}

/** What is read leads browsers to safe addresses alone, and has certificates that can be read. */
function faultOfMetadata(text: string): string {
  const { signInUrl, signOutUrl, signedOutUrl, certificates } = readMetadata(text, Date.now())
  const unsafe = [signInUrl, signOutUrl, signedOutUrl].filter((url) => url !== '' && !/^https:/i.test(url))
  const read = certificates.map((pem) => new X509Certificate(pem))
  return unsafe.length === 0 && read.length > 0 ? 'sound' : `leads to ${unsafe.join(' ')}`
}

/** Damages what is sent: the transport's own encoding now and then, the text inside it mostly. */
function damaged(message: string, kind: SamlKind, random: Random): string {
  if (kind === 'metadata') return withDamage(message, random)
  if (kind === 'sign-outs by query' || randomBelow(random, 8) === 0) return withLetters(message, random)
  return base64(withDamage(Buffer.from(message, 'base64').toString('utf8'), random))
}

const HOSTILE = [
  ...[
    '<!--x-->',
    '<![CDATA[x]]>',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    '&#0;',
    '&#x110000;',
    '<?x y?>',
    '\uD800',
    '\0',
  ],
  ...['<a>'.repeat(100), '<a xmlns="">', '<a:b/>', 'x'.repeat(300_000), '</saml:NameID>', 'admin', '\u202E', '\uFEFF'],
]

function withDamage(xml: string, random: Random): string {
  const at = randomBelow(random, xml.length)
  switch (randomBelow(random, 8)) {
    case 0:
      return xml.slice(0, at)
    case 1:
      return xml.slice(0, at) + (HOSTILE[randomBelow(random, HOSTILE.length)] ?? '') + xml.slice(at)
    case 2:
      return withElementTwice(xml, random)
    case 3:
      return withoutElement(xml, random)
    case 4:
      return withOtherValue(xml, random)
    case 5:
      return xml.replaceAll(LOGIN, ['admin', `${LOGIN}.`, '', `${LOGIN}<!---->.admin`][randomBelow(random, 4)] ?? '')
    case 6:
      return xml.replace(/<\/[\w:]+>$/, (end) => `${xml.slice(at, at + 2000)}${end}`)
    default:
      return withLetters(xml, random)
  }
}

/** An element without children, which is where values stand. */
const LEAF = /<([\w:]+)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1>)/g

function withElementTwice(xml: string, random: Random): string {
  const leaf = one([...xml.matchAll(LEAF)], random)
  return leaf === undefined ? xml : xml.replace(leaf[0], (found) => found + found.replace('lab', 'staff'))
}

function withoutElement(xml: string, random: Random): string {
  const leaf = one([...xml.matchAll(LEAF)], random)
  return leaf === undefined ? xml : xml.replace(leaf[0], '')
}

/** Takes the value of one attribute for another one. */
function withOtherValue(xml: string, random: Random): string {
  const values = [...xml.matchAll(/"([^"<>]*)"/g)]
  const [from, to] = [one(values, random), one(values, random)]
  return from === undefined || to === undefined
    ? xml
    : xml.slice(0, from.index) + to[0] + xml.slice(from.index + from[0].length)
}

function withLetters(text: string, random: Random): string {
  const letters = [...text]
  for (let hits = randomBelow(random, 3); hits >= 0; hits--)
    letters[randomBelow(random, letters.length)] = String.fromCodePoint(randomBelow(random, 256))
  return letters.join('')
}

function one<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[randomBelow(random, items.length)]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
