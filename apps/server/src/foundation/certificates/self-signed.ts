import { createHash, createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { bitString, integer, oid, sequence, tagged } from './der.ts'
import { ipv6Bytes } from './ip-bytes.ts'

const generate = promisify(generateKeyPair)

export interface SelfSignedOptions {
  /** Host names and addresses in lower case; the first one is also the subject. */
  readonly names: readonly string[]
  readonly days: number
  /** Unix milliseconds. */
  readonly now: number
  /** 16 random bytes. */
  readonly serial: Uint8Array
  /** Of the RSA key; default 2048. */
  readonly bits?: number
}

export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

const DAY_MS = 24 * 3_600_000
/** Clocks of clients run late. */
const EARLIER_MS = 3_600_000

/** Object identifiers, encoded. */
export const OID = {
  sha256WithRsa: '2a864886f70d01010b',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
  subjectAltName: '551d11',
  subjectKeyId: '551d0e',
  serverAuth: '2b06010505070301',
} as const

/** Makes a key and a certificate (X.509 v3, RFC 5280) that it signs itself, for a server that has no other yet. */
export async function makeSelfSigned(options: SelfSignedOptions): Promise<SelfSigned> {
  const { privateKey } = await generate('rsa', { modulusLength: options.bits ?? 2048 })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const body = toBeSigned(options, publicKey)
  const signature = bitString(sign('sha256', body, privateKey))
  return {
    certificate: certificateText(sequence(body, algorithm(), signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function toBeSigned({ names, days, now, serial }: SelfSignedOptions, publicKey: Buffer): Buffer {
  const [subject = ''] = names
  // A common name has at most 64 characters; clients look at the alternative names alone.
  const commonName = sequence(oid(OID.commonName), tagged(0x0c, Buffer.from(subject.slice(0, 64))))
  const name = sequence(tagged(0x31, commonName))
  const begins = now - EARLIER_MS
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from(serial)),
    algorithm(),
    name,
    sequence(time(begins), time(now + days * DAY_MS)),
    name,
    publicKey,
    tagged(0xa3, extensions(names, publicKey)),
  )
}

/** The names that clients look at. */
export function alternativeNames(names: readonly string[]): Buffer {
  const alternatives = names.map((name) => {
    const version = isIP(name)
    if (version === 0) return tagged(0x82, Buffer.from(name))
    return tagged(0x87, version === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name))
  })
  return extension(OID.subjectAltName, sequence(...alternatives))
}

function extensions(names: readonly string[], publicKey: Buffer): Buffer {
  return sequence(
    // No authority: it signs nothing but itself.
    extension(OID.basicConstraints, sequence(), true),
    // digitalSignature and keyEncipherment
    extension(OID.keyUsage, tagged(0x03, Buffer.from([5, 0b1010_0000])), true),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectKeyId, tagged(0x04, createHash('sha1').update(publicKey).digest())),
    alternativeNames(names),
  )
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : []
  return sequence(oid(id), ...critical, tagged(0x04, value))
}

/** SHA-256 with RSA. */
export function algorithm(): Buffer {
  return sequence(oid(OID.sha256WithRsa), tagged(0x05, Buffer.alloc(0)))
}

/** UTCTime until 2049, GeneralizedTime from then on. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return Number(text.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text))
}

function certificateText(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
