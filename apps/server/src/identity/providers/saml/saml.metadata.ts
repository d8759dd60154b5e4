import { X509Certificate } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { elementsIn, escapeXml, parseXml, type XmlElement } from '../../../kernel/xml.ts'

/** What the metadata of an identity provider says of it (SAML 2.0 Metadata §2.4.3). */
export interface IdentityProvider {
  readonly entityId: string
  /** Where people are sent to sign in. */
  readonly signInUrl: string
  /** Where sign-outs are sent; '' without one. */
  readonly signOutUrl: string
  /** Where answers to its own sign-outs are sent. */
  readonly signedOutUrl: string
  /** PEM. Several while keys change. */
  readonly certificates: readonly string[]
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:'
const CERTIFICATES_MAX = 16

/** Metadata that does not describe one identity provider; says what is missing. */
function invalid(reason: string, cause?: unknown): AppError {
  return new AppError('SAML_METADATA_INVALID', { reason }, { cause })
}

/**
 * Reads the metadata of one identity provider.
 * @param now Unix milliseconds
 * @throws AppError SAML_METADATA_INVALID
 */
export function readMetadata(text: string, now: number): IdentityProvider {
  const entity = entityIn(rootOf(text))
  const validUntil = attribute(entity, 'validUntil')
  if (validUntil !== '' && !(Date.parse(validUntil) > now)) throw invalid('expired')
  const role = named(entity, METADATA, 'IDPSSODescriptor').find((each) =>
    attribute(each, 'protocolSupportEnumeration').split(/\s+/).includes(PROTOCOL),
  )
  const entityId = attribute(entity, 'entityID')
  if (role === undefined || entityId === '' || entityId.length > 1024) throw invalid('no identity provider')
  const signIn = redirectOf(role, 'SingleSignOnService')
  const signInUrl = addressIn(signIn, 'Location')
  if (signInUrl === '') throw invalid('no sign-in by redirect')
  const signOut = redirectOf(role, 'SingleLogoutService')
  const signOutUrl = addressIn(signOut, 'Location')
  const signedOutUrl = addressIn(signOut, 'ResponseLocation') || signOutUrl
  return { entityId, signInUrl, signOutUrl, signedOutUrl, certificates: certificatesOf(role, now) }
}

function rootOf(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (thrown) {
    throw invalid('not XML', thrown)
  }
}

function entityIn(root: XmlElement): XmlElement {
  if (root.name === `{${METADATA}}EntityDescriptor`) return root
  const entities = root.name === `{${METADATA}}EntitiesDescriptor` ? named(root, METADATA, 'EntityDescriptor') : []
  const [entity] = entities
  if (entity === undefined || entities.length > 1) throw invalid('not one entity')
  return entity
}

/**
 * An address that browsers are led to. A control character in front of it, which the parser of addresses passes over, would
 * make it none in a redirect.
 */
function addressIn(element: XmlElement | undefined, name: string): string {
  const url = attribute(element, name)
  const isSafe = url === '' || (/^[!-~]+$/.test(url) && URL.canParse(url) && new URL(url).protocol === 'https:')
  if (!isSafe) throw invalid('not https')
  return url
}

function certificatesOf(role: XmlElement, now: number): string[] {
  const bodies = named(role, METADATA, 'KeyDescriptor')
    .filter((key) => attribute(key, 'use') !== 'encryption')
    .flatMap((key) => named(key, SIGNATURE, 'KeyInfo'))
    .flatMap((info) => named(info, SIGNATURE, 'X509Data'))
    .flatMap((data) => named(data, SIGNATURE, 'X509Certificate'))
    .map((element) => textOf(element).replaceAll(/\s+/g, ''))
  const pems = [...new Set(bodies)].slice(0, CERTIFICATES_MAX).map(pemOf)
  const usable = pems.filter((pem) => Date.parse(certificate(pem).validTo) > now)
  if (usable.length === 0) throw invalid(pems.length === 0 ? 'no certificate' : 'certificates expired')
  return usable
}

function pemOf(body: string): string {
  return `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`
}

function certificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (thrown) {
    throw invalid('no certificate', thrown)
  }
}

function redirectOf(role: XmlElement, name: string): XmlElement | undefined {
  return named(role, METADATA, name).find((service) => attribute(service, 'Binding') === `${BINDING}HTTP-Redirect`)
}

function named(parent: XmlElement, namespace: string, local: string): XmlElement[] {
  return elementsIn(parent).filter(({ name }) => name === `{${namespace}}${local}`)
}

function attribute(element: XmlElement | undefined, name: string): string {
  return element?.attributes.find(([each]) => each === name)?.[1].trim() ?? ''
}

function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

export interface ServiceProvider {
  /** Also the address of this document. */
  readonly entityId: string
  /** Where answers of providers are sent. */
  readonly answersTo: string
  readonly signOutsTo: string
}

/** What providers have to know of this site. @param pem certificate of the key that requests are signed with */
export function writeMetadata({ entityId, answersTo, signOutsTo }: ServiceProvider, pem: string): string {
  const body = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const signOut = (binding: string) =>
    `<SingleLogoutService Binding="${BINDING}${binding}" Location="${escapeXml(signOutsTo)}"/>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="${METADATA}" xmlns:ds="${SIGNATURE}" entityID="${escapeXml(entityId)}">`,
    `<SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">`,
    `<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
    signOut('HTTP-Redirect'),
    signOut('HTTP-POST'),
    '<NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>',
    '<NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>',
    `<AssertionConsumerService Binding="${BINDING}HTTP-POST" Location="${escapeXml(answersTo)}" index="0" isDefault="true"/>`,
    '</SPSSODescriptor>',
    '</EntityDescriptor>',
    '',
  ].join('\n')
}
