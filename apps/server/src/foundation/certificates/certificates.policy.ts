import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { CERTIFICATE_REMINDER_DAYS, LIMITS, type CertificateWarning } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import { pemBlocks } from './pem.ts'

/** What somebody wants to put in force, as it was pasted. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

/** A pair that every check let through. */
export interface CheckedPair {
  /** The chain in order, the site's own certificate first. */
  readonly pem: string
  /** PKCS #8. */
  readonly key: string
  readonly facts: CertificateFacts
}

export interface CertificateFacts {
  readonly names: readonly string[]
  readonly subject: string
  readonly issuer: string
  readonly chain: readonly string[]
  readonly notBefore: number
  readonly notAfter: number
  readonly fingerprint: string
  readonly bits: number
}

const DAY_MS = 24 * 3_600_000
const CHAIN_MAX = 10

/**
 * All that section 5 of the specification demands of a certificate, each with its code at its field; certificates that come in
 * the wrong order are put in the right one.
 * @throws AppError CERTIFICATE_PEM_INVALID, CERTIFICATE_CHAIN_INVALID, CERTIFICATE_KEY_INVALID, CERTIFICATE_KEY_ENCRYPTED,
 * CERTIFICATE_NOT_RSA, CERTIFICATE_KEY_TOO_SHORT, CERTIFICATE_MISMATCH, CERTIFICATE_EXPIRED
 */
export function checkPair(pair: CertificatePair, now: number): CheckedPair {
  const all = readCertificates(pair.certificate)
  const key = readKey(pair.key)
  const own = all.find((certificate) => isOf(certificate, key))
  if (own === undefined) {
    const isForeignKind = all.every((certificate) => publicKeyOf(certificate)?.asymmetricKeyType !== 'rsa')
    throw isForeignKind
      ? new AppError('CERTIFICATE_NOT_RSA', { field: 'certificate' })
      : new AppError('CERTIFICATE_MISMATCH', { field: 'key' })
  }
  const chain = orderChain(own, all)
  const pem = chain.map((certificate) => certificate.toString()).join('')
  const facts = factsOf(chain)
  if (!(now >= facts.notBefore && now <= facts.notAfter))
    throw new AppError('CERTIFICATE_EXPIRED', { field: 'certificate', from: facts.notBefore, until: facts.notAfter })
  const checked = { pem, key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), facts }
  requireUsable(checked)
  return checked
}

/** @param pem as {@link checkPair} made it */
export function readFacts(pem: string): CertificateFacts {
  return factsOf(pemBlocks(pem).map(({ text }) => new X509Certificate(text)))
}

/** What is worth knowing of a certificate in force. @param siteHost '' where nobody knows it */
export function warningsOf(pem: string, { now, siteHost }: { readonly now: number; readonly siteHost: string }) {
  const chain = pemBlocks(pem).map(({ text }) => new X509Certificate(text))
  const [own] = chain
  const last = chain.at(-1)
  if (own === undefined || last === undefined) return []
  const { notAfter } = factsOf(chain)
  const isSelfSigned = isSignedByItself(own)
  const soonMs = CERTIFICATE_REMINDER_DAYS[0] * DAY_MS
  const found: Readonly<Record<CertificateWarning, boolean>> = {
    'name-not-covered': siteHost !== '' && !covers(own, siteHost),
    'self-signed': isSelfSigned,
    'issuer-unknown': !isSelfSigned && !isSignedByItself(last) && !isKnownIssuer(last),
    'expires-soon': now <= notAfter && notAfter - now <= soonMs,
    expired: now > notAfter,
  }
  return (Object.keys(found) as CertificateWarning[]).filter((warning) => found[warning])
}

/** Whether browsers that trust its issuer accept it: no `Strict-Transport-Security` with any other. */
export function isPublic(pem: string, now: number): boolean {
  const warnings = warningsOf(pem, { now, siteHost: '' })
  return !warnings.includes('self-signed') && !warnings.includes('expired')
}

/** Whole days until the end; negative afterwards. */
export function daysLeft(notAfter: number, now: number): number {
  return Math.floor((notAfter - now) / DAY_MS)
}

export interface Reminded {
  readonly notBefore: number
  readonly notAfter: number
  /** The shortest reminder that went out, in days; 0 before the first. */
  readonly remindedDays: number
}

/**
 * The reminder that is due now, in days before the end; undefined when none is. A certificate that lives only for weeks is no
 * news every time: reminders longer than half its life are left out.
 */
export function dueReminder({ notBefore, notAfter, remindedDays }: Reminded, now: number): number | undefined {
  const steps = CERTIFICATE_REMINDER_DAYS.filter((days) => days * 2 * DAY_MS <= notAfter - notBefore)
  const step = steps.toReversed().find((days) => notAfter - now <= days * DAY_MS)
  if (step === undefined) return undefined
  return remindedDays === 0 || step < remindedDays ? step : undefined
}

/** @throws AppError CERTIFICATE_PEM_INVALID, CERTIFICATE_CHAIN_INVALID */
function readCertificates(text: string): X509Certificate[] {
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE')
  if (blocks.length > CHAIN_MAX) throw new AppError('CERTIFICATE_CHAIN_INVALID', { field: 'certificate' })
  const read = blocks.map((block) => attempt(() => new X509Certificate(block.text)))
  const certificates = read.filter((certificate) => certificate !== undefined)
  if (certificates.length === 0 || certificates.length < read.length)
    throw new AppError('CERTIFICATE_PEM_INVALID', { field: 'certificate' })
  return certificates
}

/** @throws AppError CERTIFICATE_KEY_INVALID, CERTIFICATE_KEY_ENCRYPTED, CERTIFICATE_NOT_RSA, CERTIFICATE_KEY_TOO_SHORT */
function readKey(text: string): KeyObject {
  const block = pemBlocks(text).find(({ label }) => label.endsWith('PRIVATE KEY'))
  if (block === undefined) throw new AppError('CERTIFICATE_KEY_INVALID', { field: 'key' })
  if (block.label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: *4, *ENCRYPTED/m.test(block.text))
    throw new AppError('CERTIFICATE_KEY_ENCRYPTED', { field: 'key' })
  const key = attempt(() => createPrivateKey(block.text))
  if (key === undefined) throw new AppError('CERTIFICATE_KEY_INVALID', { field: 'key' })
  if (key.asymmetricKeyType !== 'rsa') throw new AppError('CERTIFICATE_NOT_RSA', { field: 'key' })
  if (bitsOf(key) < LIMITS.rsaBitsMin) throw new AppError('CERTIFICATE_KEY_TOO_SHORT', { field: 'key' })
  return key
}

/** The own certificate and what leads from it to an authority. @throws AppError CERTIFICATE_CHAIN_INVALID */
function orderChain(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own]
  const rest = new Map(all.map((certificate) => [certificate.fingerprint256, certificate]))
  rest.delete(own.fingerprint256)
  for (let last: X509Certificate | undefined = own; last !== undefined;) {
    const issued: X509Certificate = last
    last = [...rest.values()].find((candidate) => isIssuedBy(issued, candidate))
    if (last === undefined) break
    rest.delete(last.fingerprint256)
    chain.push(last)
  }
  const [stranger] = rest.values()
  if (stranger !== undefined)
    throw new AppError('CERTIFICATE_CHAIN_INVALID', { field: 'certificate', subject: oneLine(stranger.subject) })
  return chain
}

/** Whatever the checks above let through and OpenSSL would still not serve, such as a certificate that MD5 signed. */
function requireUsable({ pem, key }: CheckedPair): void {
  if (attempt(() => createSecureContext({ cert: pem, key })) === undefined)
    throw new AppError('CERTIFICATE_PEM_INVALID', { field: 'certificate' })
}

function factsOf(chain: readonly X509Certificate[]): CertificateFacts {
  const [own, ...issuers] = chain
  if (own === undefined) throw new Error('a chain without a certificate')
  const key = publicKeyOf(own)
  return {
    names: namesOf(own),
    subject: oneLine(own.subject),
    issuer: oneLine(own.issuer),
    chain: issuers.map(({ subject }) => oneLine(subject)),
    notBefore: Date.parse(own.validFrom),
    notAfter: Date.parse(own.validTo),
    fingerprint: own.fingerprint256,
    bits: key === undefined ? 0 : bitsOf(key),
  }
}

/** Names that browsers look at; that in the subject only where there are none. */
function namesOf(certificate: X509Certificate): string[] {
  const listed = (certificate.subjectAltName ?? '').split(', ').flatMap((entry) => {
    const [, name] = /^(?:DNS|IP Address):([^"]+)$/.exec(entry) ?? []
    return name === undefined ? [] : [name.toLowerCase()]
  })
  if (listed.length > 0) return listed
  const [, common] = /^CN=(.+)$/m.exec(certificate.subject ?? '') ?? []
  return common === undefined ? [] : [common.toLowerCase()]
}

function covers(certificate: X509Certificate, host: string): boolean {
  const found = attempt(() => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)))
  return found !== undefined
}

function isKnownIssuer(certificate: X509Certificate): boolean {
  return rootCertificates.some((pem) => {
    const root = attempt(() => new X509Certificate(pem))
    return root !== undefined && isIssuedBy(certificate, root)
  })
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const isSigned = () => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  return attempt(isSigned) === true
}

/** Also where its key may sign nothing else, which `checkIssued` asks for. */
function isSignedByItself(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer && attempt(() => certificate.verify(certificate.publicKey)) === true
}

function isOf(certificate: X509Certificate, key: KeyObject): boolean {
  return attempt(() => certificate.checkPrivateKey(key)) === true
}

function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  return attempt(() => certificate.publicKey)
}

function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0
}

/** `CN=a\nO=b`, as OpenSSL lists the parts of a name, on one line. */
function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll(/\s*\n\s*/g, ', ')
}

/** OpenSSL throws for whatever it cannot read, in as many ways as there are: all of them mean the same here. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
