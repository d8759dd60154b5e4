import { createHash, createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
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

const OID = {
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
  const der = sequence(body, algorithm(), signature)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
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

function extensions(names: readonly string[], publicKey: Buffer): Buffer {
  const alternatives = names.map((name) => {
    const version = isIP(name)
    if (version === 0) return tagged(0x82, Buffer.from(name))
    return tagged(0x87, version === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name))
  })
  return sequence(
    // No authority: it signs nothing but itself.
    extension(OID.basicConstraints, sequence(), true),
    // digitalSignature and keyEncipherment
    extension(OID.keyUsage, tagged(0x03, Buffer.from([5, 0b1010_0000])), true),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectKeyId, tagged(0x04, createHash('sha1').update(publicKey).digest())),
    extension(OID.subjectAltName, sequence(...alternatives)),
  )
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : []
  return sequence(oid(id), ...critical, tagged(0x04, value))
}

function algorithm(): Buffer {
  return sequence(oid(OID.sha256WithRsa), tagged(0x05, Buffer.alloc(0)))
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

/** Positive, whatever its first bit. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first)
  const padding = (short[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []
  return tagged(0x02, Buffer.concat([...padding, short]))
}

/** UTCTime until 2049, GeneralizedTime from then on. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return Number(text.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text))
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), value])
  const hex = length.toString(16)
  const size = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, value])
}
