import { createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { bitString, integer, oid, sequence, tagged } from './der.ts'
import { algorithm, alternativeNames } from './self-signed.ts'

const generate = promisify(generateKeyPair)

/** extensionRequest (RFC 2985): what the certificate shall have. */
const EXTENSION_REQUEST = '2a864886f70d01090e'
const BITS = 2048

export interface SigningRequest {
  /** DER of PKCS #10 (RFC 2986). */
  readonly request: Buffer
  /** PKCS #8, PEM; it never leaves the server. */
  readonly key: string
}

/** Makes a new key, and the request by which an authority signs a certificate for it. */
export async function makeSigningRequest(names: readonly string[]): Promise<SigningRequest> {
  const { privateKey } = await generate('rsa', { modulusLength: BITS })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const wanted = sequence(oid(EXTENSION_REQUEST), tagged(0x31, sequence(alternativeNames(names))))
  // No subject: authorities look at the alternative names alone.
  const body = sequence(integer(Buffer.from([0])), sequence(), publicKey, tagged(0xa0, wanted))
  return {
    request: sequence(body, algorithm(), bitString(sign('sha256', body, privateKey))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
