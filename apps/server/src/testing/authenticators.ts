import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

/** What a browser would hand over; `change` lets a test lie. */
export interface Lies {
  readonly origin?: string
  readonly site?: string
  /** Bits of the authenticator's flags: 1 present, 4 verified. */
  readonly flags?: number
  readonly counter?: number
  readonly challenge?: string
  readonly type?: string
}

/** A passkey device in software: real keys, real signatures, and the formats of WebAuthn (W3C, 6.1 and 6.5). */
export interface Authenticator {
  readonly credentialId: string
  create(challenge: string, lies?: Lies): Record<string, unknown>
  get(challenge: string, lies?: Lies): Record<string, unknown>
}

const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

export function softAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const own: Required<Pick<Lies, 'origin' | 'site' | 'flags'>> = {
    origin,
    site: new URL(origin).hostname,
    flags: PRESENT | VERIFIED,
  }
  let counter = 0

  const clientData = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? own.origin,
        crossOrigin: false,
      }),
    )
  const authData = (extra: Buffer, attested: number, lies: Lies): Buffer => {
    const head = Buffer.alloc(5)
    head[0] = (lies.flags ?? own.flags) | attested
    head.writeUInt32BE(lies.counter ?? ++counter, 1)
    return Buffer.concat([
      createHash('sha256')
        .update(lies.site ?? own.site)
        .digest(),
      head,
      extra,
    ])
  }
  const answer = (response: Record<string, string>): Record<string, unknown> => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    credentialId: id.toString('base64url'),
    create(challenge, lies = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const object = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData(attested, ATTESTED, lies))],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: object.toString('base64url'),
      })
    },
    get(challenge, lies = {}) {
      const client = clientData('webauthn.get', challenge, lies)
      const data = authData(Buffer.alloc(0), 0, lies)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('SHA256').update(signed).sign(privateKey).toString('base64url'),
      })
    },
  }
}

/** RFC 9053, 7.1.1: an elliptic curve key of two coordinates, for ES256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

/** The few kinds of CBOR (RFC 8949, 3.1) that attestations are made of, up to 65,535 bytes. */
function cborHead(kind: number, value: number): Buffer {
  const first = kind << 5
  if (value < 24) return Buffer.from([first | value])
  if (value < 256) return Buffer.from([first | 24, value])
  return Buffer.from([first | 25, value >> 8, value & 255])
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
}

function cborMap(entries: ReadonlyArray<readonly [Buffer, Buffer]>): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}
