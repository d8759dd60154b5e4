import { createCipheriv, createDecipheriv, createHmac, createPrivateKey, createPublicKey } from 'node:crypto'
import { diffieHellman, hkdfSync, type KeyObject } from 'node:crypto'

/** docs/sealed-files.md written a second time, without a thought for memory: all of a file at once. */

const CHUNK = 262_144
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

export interface NaiveKey {
  readonly secret: KeyObject
  readonly open: Buffer
}

export interface NaiveFile {
  readonly path: string
  readonly modified: number
  readonly content: Buffer
}

export function naiveKey(secret: Uint8Array): NaiveKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' })
  return { secret: key, open: rawOf(createPublicKey(key)) }
}

/** The length after padding, by trying every step from the exponent's definition down. */
export function naivePadded(size: number): number {
  if (size < 2) return size
  let exponent = 0
  while (2 ** (exponent + 1) <= size) exponent += 1
  const step = 2 ** Math.max(0, exponent - exponent.toString(2).length)
  let padded = size - (size % step)
  while (padded < size) padded += step
  return padded
}

export function naiveSeal(link: NaiveKey['open'], seed: Uint8Array, { path, modified, content }: NaiveFile) {
  const sender = naiveKey(derive(seed, 'godwit sealed sender v1'))
  const ids = derive(seed, 'godwit sealed ids v1')
  const id = createHmac('sha256', ids).update(`${path}\0${content.length}\0${modified}`).digest().subarray(0, 16)
  const keys = keysOf(sender.secret, link, { id, sender: sender.open, link })
  const json = Buffer.from(JSON.stringify({ path, size: content.length, modified }))
  const metadata = Buffer.concat([json, Buffer.alloc((256 - (json.length % 256)) % 256, ' ')])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(metadata.length)
  const head = Buffer.concat([Buffer.from('GODWITE1'), sender.open, id, length])
  const padded = Buffer.concat([content, Buffer.alloc(naivePadded(content.length) - content.length)])
  const records = [sealRecord(keys, head, { index: 0, isLast: false, plain: metadata })]
  for (let at = 0, index = 1; index === 1 || at < padded.length; at += CHUNK, index += 1) {
    const isLast = at + CHUNK >= padded.length
    records.push(sealRecord(keys, head, { index, isLast, plain: padded.subarray(at, at + CHUNK) }))
  }
  return { name: `${id.toString('hex')}.gwe`, bytes: Buffer.concat([head, ...records]) }
}

/** @throws Error for anything that is not exactly what was sealed */
export function naiveOpen(link: NaiveKey, bytes: Buffer): NaiveFile {
  const head = bytes.subarray(0, 60)
  if (head.toString('latin1', 0, 8) !== 'GODWITE1') throw new Error('magic')
  const [sender, id] = [head.subarray(8, 40), head.subarray(40, 56)]
  const keys = keysOf(link.secret, sender, { id, sender, link: link.open })
  const contentAt = 60 + 28 + head.readUInt32BE(56)
  const metadata = openRecord(keys, head, { index: 0, isLast: false, record: bytes.subarray(60, contentAt) })
  const { path, size, modified } = JSON.parse(metadata.toString()) as { path: string; size: number; modified: number }
  const parts: Buffer[] = []
  for (let at = contentAt, index = 1; index === 1 || at < bytes.length; at += CHUNK + 28, index += 1) {
    const isLast = at + CHUNK + 28 >= bytes.length
    parts.push(openRecord(keys, head, { index, isLast, record: bytes.subarray(at, at + CHUNK + 28) }))
  }
  const padded = Buffer.concat(parts)
  if (padded.length !== naivePadded(size)) throw new Error('length')
  return { path, modified, content: padded.subarray(0, size) }
}

interface Keys {
  readonly content: Buffer
  readonly nonces: Buffer
}

function keysOf(
  secret: KeyObject,
  other: Buffer,
  { id, sender, link }: Readonly<Record<'id' | 'sender' | 'link', Buffer>>,
): Keys {
  const spki = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), other])
  const shared = diffieHellman({
    privateKey: secret,
    publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
  })
  const info = Buffer.concat([Buffer.from('godwit sealed file v1'), sender, link])
  const both = Buffer.from(hkdfSync('sha256', shared, id, info, 64))
  return { content: both.subarray(0, 32), nonces: both.subarray(32) }
}

interface Place {
  readonly index: number
  readonly isLast: boolean
}

function factsOf(head: Buffer, { index, isLast }: Place): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt32BE(index)
  tail[4] = Number(isLast)
  return Buffer.concat([head, tail])
}

function sealRecord(keys: Keys, head: Buffer, { plain, ...place }: Place & { readonly plain: Buffer }): Buffer {
  const facts = factsOf(head, place)
  const nonce = createHmac('sha256', keys.nonces).update(facts).update(plain).digest().subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', keys.content, nonce).setAAD(facts)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function openRecord(keys: Keys, head: Buffer, { record, ...place }: Place & { readonly record: Buffer }): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keys.content, record.subarray(0, 12)).setAAD(factsOf(head, place))
  decipher.setAuthTag(record.subarray(-16))
  return Buffer.concat([decipher.update(record.subarray(12, -16)), decipher.final()])
}

function derive(secret: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32))
}

function rawOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32)
}
