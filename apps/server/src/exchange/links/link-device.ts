import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { randomHex, type Clock, type Random } from '@godwit/base'
import { secretsEqual, type Vault } from '../../kernel/crypto/index.ts'

/** What a bound device shows: a key that its browser made and cannot export, and the key's answer to a challenge. */
export interface DeviceProof {
  /** SPKI in base64url. */
  readonly key: string
  readonly challenge: string
  readonly signature: string
}

export interface DeviceDeps {
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Random
}

const CHALLENGE_MS = 5 * 60_000
const PURPOSE = 'link-device'

/** A challenge that this installation recognizes again, on whichever node, for this link and five minutes. */
export function newChallenge({ vault, clock, random }: DeviceDeps, linkId: string): string {
  const text = `${clock.now() + CHALLENGE_MS}.${randomHex(random, 16)}`
  return `${text}.${vault.mac(PURPOSE, `${linkId}.${text}`)}`
}

/** The visible fingerprint of the device; undefined when it did not prove to have the key. */
export function provenDevice(
  { vault, clock }: Pick<DeviceDeps, 'vault' | 'clock'>,
  linkId: string,
  { key, challenge, signature }: DeviceProof,
): string | undefined {
  const [until = '', nonce = '', mac = ''] = challenge.split('.')
  if (!(Number(until) > clock.now()) || !secretsEqual(mac, vault.mac(PURPOSE, `${linkId}.${until}.${nonce}`)))
    return undefined
  const spki = Buffer.from(key, 'base64url')
  const publicKey = p256Key(spki)
  if (publicKey === undefined) return undefined
  const signed = Buffer.from(`godwit-link-device:v1\n${linkId}\n${challenge}`)
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isRight ? createHash('sha256').update(spki).digest('hex') : undefined
}

function p256Key(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined // No key at all proves nothing.
  }
}
