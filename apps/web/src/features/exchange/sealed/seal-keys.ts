import type { Random } from '@godwit/base'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { SEALED_FILE } from '@godwit/contract/exchange/sealed-files'

/** Keys of end-to-end encrypted links, docs/sealed-files.md §2. None of them is ever sent to the server. */

type Bytes = Uint8Array<ArrayBuffer>

/** Opens what was sealed for a link: of a share link everybody has it, of an invite link its owner alone. */
export interface SecretKey {
  readonly kind: 'secret'
  readonly secret: Bytes
  readonly open: Bytes
}

/** Seals for a link and opens nothing: what guests of an invite link have. */
export interface PublicKey {
  readonly kind: 'public'
  readonly open: Bytes
}

export type LinkKey = SecretKey | PublicKey

export interface FileKeys {
  /** AES-256. */
  readonly content: Bytes
  /** From which nonces are made. */
  readonly nonces: Bytes
}

const { keyBytes, idBytes } = SEALED_FILE
const FINGERPRINT_BYTES = 16
const SECRET = 's'
const PUBLIC = 'p'

export function newSecretKey(random: Random): SecretKey {
  return secretKeyOf(random.fill(new Uint8Array(keyBytes)))
}

export function secretKeyOf(secret: Bytes): SecretKey {
  return { kind: 'secret', secret, open: Uint8Array.from(x25519.getPublicKey(secret)) }
}

export function publicOf({ open }: LinkKey): PublicKey {
  return { kind: 'public', open }
}

/** The part of an address after `#`: browsers keep it to themselves. */
export function fragmentOf(key: LinkKey): string {
  return key.kind === 'secret' ? `#${SECRET}=${toBase64Url(key.secret)}` : `#${PUBLIC}=${toBase64Url(key.open)}`
}

/** @returns undefined for an address without a key, or with one that was cut */
export function keyInFragment(hash: string): LinkKey | undefined {
  const values = new URLSearchParams(hash.slice(1))
  const secret = bytesIn(values.get(SECRET))
  if (secret !== undefined) return secretKeyOf(secret)
  const open = bytesIn(values.get(PUBLIC))
  return open === undefined ? undefined : { kind: 'public', open }
}

function bytesIn(text: string | null): Bytes | undefined {
  if (text === null || !/^[A-Za-z0-9_-]{43}$/.test(text)) return undefined
  return Uint8Array.from(atob(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`), (letter) => letter.charCodeAt(0))
}

/** What the server keeps of the key: enough to tell that an address has the key of another link. */
export function fingerprintOf({ open }: LinkKey): string {
  return toBase64Url(sha256(joined('godwit sealed link v1', open)).subarray(0, FINGERPRINT_BYTES))
}

/** Whoever seals files: a key pair of their own for each link, and ids that are the same when the same file is chosen again. */
export interface Sender {
  readonly secret: Bytes
  readonly open: Bytes
  readonly ids: Bytes
}

/** @param seed 32 bytes that the server does not know */
export function senderOf(seed: Bytes): Sender {
  const secret = derived(seed, 'godwit sealed sender v1', keyBytes)
  const ids = derived(seed, 'godwit sealed ids v1', keyBytes)
  return { secret, open: Uint8Array.from(x25519.getPublicKey(secret)), ids }
}

/** The owner of a share link needs no seed besides the key of the link, so that any device goes on with any file. */
export function ownerSeed({ secret }: SecretKey): Bytes {
  return derived(secret, 'godwit sealed owner v1', keyBytes)
}

export interface FileFacts {
  readonly path: string
  readonly size: number
  /** Unix milliseconds. */
  readonly modified: number
}

export function fileIdOf({ ids }: Sender, { path, size, modified }: FileFacts): Bytes {
  return Uint8Array.from(hmac(sha256, ids, new TextEncoder().encode(`${path}\0${size}\0${modified}`))).slice(0, idBytes)
}

/** The keys of one file, for its sender and for whoever has the secret of the link. */
export function fileKeys(shared: Uint8Array, { id, sender, link }: Readonly<Record<'id' | 'sender' | 'link', Bytes>>) {
  const both = hkdf(sha256, shared, id, joined('godwit sealed file v1', sender, link), 2 * keyBytes)
  return { content: Uint8Array.from(both.subarray(0, keyBytes)), nonces: Uint8Array.from(both.subarray(keyBytes)) }
}

export function keysForSender(sender: Sender, link: LinkKey, id: Bytes): FileKeys {
  return fileKeys(x25519.getSharedSecret(sender.secret, link.open), { id, sender: sender.open, link: link.open })
}

/** @throws Error for a sender's key that is no point of the curve */
export function keysForReader(
  link: SecretKey,
  { id, sender }: { readonly id: Bytes; readonly sender: Bytes },
): FileKeys {
  return fileKeys(x25519.getSharedSecret(link.secret, sender), { id, sender, link: link.open })
}

function derived(secret: Bytes, info: string, length: number): Bytes {
  return Uint8Array.from(hkdf(sha256, secret, undefined, new TextEncoder().encode(info), length))
}

function joined(text: string, ...parts: readonly Uint8Array[]): Bytes {
  return Uint8Array.from([...new TextEncoder().encode(text), ...parts.flatMap((part) => [...part])])
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
