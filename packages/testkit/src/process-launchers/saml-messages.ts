import { createSign, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

/** What a provider may do wrong, on purpose. */
export const SAML_FAULTS = [
  ...['unsigned', 'other-key', 'sha1', 'response-signed', 'wrapped', 'wrapped-inside', 'comment', 'doctype'],
  ...['audience', 'recipient', 'destination', 'expired', 'early', 'unasked', 'issuer', 'transient', 'refused', 'two'],
] as const
export type SamlFault = (typeof SAML_FAULTS)[number] | ''

export interface Asked {
  readonly id: string
  readonly answersTo: string
  readonly audience: string
}

export interface Told {
  readonly login: string
  readonly format?: string
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
}

export interface Signing {
  readonly issuer: string
  readonly key: string
  readonly otherKey: string
}

const RSA = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const newId = (): string => `_${randomBytes(16).toString('hex')}`
const at = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Signs an element of a document, with the signature behind its issuer as the schema wants it. */
export function signedXml(xml: string, element: string, key: string, isWeak = false): string {
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: isWeak ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : RSA,
    canonicalizationAlgorithm: CANONICAL,
  })
  const xpath = `//*[local-name(.)='${element}']`
  const digestAlgorithm = isWeak ? 'http://www.w3.org/2000/09/xmldsig#sha1' : SHA256
  signature.addReference({ xpath, digestAlgorithm, transforms: [ENVELOPED, CANONICAL] })
  signature.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}

export type SignedName = 'SAMLRequest' | 'SAMLResponse'

/** A message as a query, compressed and signed as it stands (SAML 2.0 Bindings §3.4.4.1). */
export function signedQuery(
  name: SignedName,
  xml: string,
  { relayState, key }: { readonly relayState: string; readonly key: string },
): string {
  const message = deflateRawSync(xml).toString('base64')
  const parts = [[name, message], ...(relayState === '' ? [] : [['RelayState', relayState]]), ['SigAlg', RSA]]
  const text = parts.map(([part = '', value = '']) => `${part}=${encodeURIComponent(value)}`).join('&')
  const signature = createSign('sha256').update(text).sign(key, 'base64')
  return `${text}&Signature=${encodeURIComponent(signature)}`
}

function assertion({ issuer }: Pick<Signing, 'issuer'>, asked: Asked, told: Told, fault: SamlFault): string {
  const now = Date.now()
  const shift = fault === 'expired' ? -HOUR_MS : fault === 'early' ? HOUR_MS : 0
  const [from, until] = [at(now + shift - MINUTE_MS), at(now + shift + 5 * MINUTE_MS)]
  const recipient = fault === 'recipient' ? 'https://other.example/acs' : asked.answersTo
  const audience = fault === 'audience' ? 'https://other.example/' : asked.audience
  const inResponseTo = fault === 'unasked' ? '' : ` InResponseTo="${asked.id}"`
  const [first = '', ...rest] = told.login.split('.')
  const name = fault === 'comment' ? `${first}<!-- -->.${rest.join('.')}` : escaped(told.login)
  const lasting = told.format ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const format = fault === 'transient' ? 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' : lasting
  const attributes = Object.entries(told.attributes).map(([key, value]) => {
    const values = [value].flat().map((each) => `<saml:AttributeValue>${escaped(each)}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${escaped(key)}">${values.join('')}</saml:Attribute>`
  })
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${at(now + shift)}">`,
    `<saml:Issuer>${fault === 'issuer' ? 'https://other.example/' : issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${format}">${name}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${recipient}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(now)}" SessionIndex="${escaped(told.login)}-session"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    '</saml:Assertion>',
  ].join('')
}

/** An answer to a sign-in, in base64: as it should be, or with one fault. */
export function samlAnswer(signing: Signing, asked: Asked, told: Told, fault: SamlFault = ''): string {
  const key = fault === 'other-key' ? signing.otherKey : signing.key
  const made = assertion(signing, asked, told, fault)
  const isSigned = fault !== 'unsigned' && fault !== 'response-signed'
  const signed = isSigned ? signedXml(made, 'Assertion', key, fault === 'sha1') : made
  const code = fault === 'refused' ? 'Responder' : 'Success'
  const status = `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${code}"/></samlp:Status>`
  const destination = fault === 'destination' ? 'https://other.example/acs' : asked.answersTo
  const whole = [
    fault === 'doctype' ? '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' : '',
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0" IssueInstant="${at(Date.now())}" Destination="${destination}" InResponseTo="${asked.id}">`,
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${signing.issuer}</saml:Issuer>`,
    ...[
      status,
      fault === 'refused' ? '' : content(signed, assertion(signing, asked, { ...told, login: 'admin' }, ''), fault),
    ],
    '</samlp:Response>',
  ].join('')
  const text = fault === 'response-signed' ? signedXml(whole, 'Response', key) : whole
  return Buffer.from(text).toString('base64')
}

/** With a forged assertion beside, before or around the signed one. */
function content(signed: string, forged: string, fault: SamlFault): string {
  if (fault === 'two') return forged + signed
  const copy = signed.replace(/<ds:Signature|<Signature/, (tag) => tag)
  if (fault === 'wrapped') return forged.replace('<saml:Subject>', `<saml:Advice>${copy}</saml:Advice><saml:Subject>`)
  if (fault !== 'wrapped-inside') return signed
  // The signature moves into the forged one, and the assertion that it is about into an object of the signature.
  const signature = /<(?:ds:)?Signature[\s\S]*<\/(?:ds:)?Signature>/.exec(signed)?.[0] ?? ''
  const original = signed.replace(signature, '')
  const holding = signature.replace(/<\/((?:ds:)?)Signature>$/, `<$1Object>${original}</$1Object></$1Signature>`)
  return forged.replace('<saml:Subject>', `${holding}<saml:Subject>`)
}

export function samlSignOut(issuer: string, destination: string, login: string, id = newId()): string {
  return [
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(Date.now())}" Destination="${destination}">`,
    `<saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${escaped(login)}</saml:NameID>`,
    `<samlp:SessionIndex>${escaped(login)}-session</samlp:SessionIndex></samlp:LogoutRequest>`,
  ].join('')
}

export function samlSignedOut(issuer: string, destination: string, inResponseTo: string): string {
  return [
    `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0" IssueInstant="${at(Date.now())}" Destination="${destination}" InResponseTo="${inResponseTo}">`,
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>`,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>',
  ].join('')
}
