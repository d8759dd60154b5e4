import { createCipheriv, diffieHellman, createPublicKey, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { secureRandom } from '@godwit/base'
import {
  SEALED_BODY,
  sealedChunks,
  sealedInfo,
  sealedLength,
  sealedNonce,
  type SealedRequest,
} from '@godwit/contract/content/sealed-bodies'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { createSealedBodies } from './sealed-bodies.ts'

const vault = openVault(mkdtempSync(join(tmpdir(), 'godwit-sealed-')), secureRandom)
const bodies = createSealedBodies(vault)
const { chunkBytes, header, saltBytes, tagBytes } = SEALED_BODY
const PART: SealedRequest = { uploadId: 'a1', offset: 0 }

/** As the page does it, written by the document alone. */
function seal(plain: Buffer, request: SealedRequest): { readonly by: string; readonly body: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const server = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: bodies.publicKey }, format: 'jwk' })
  const secret = diffieHellman({ privateKey, publicKey: server })
  const salt = randomBytes(saltBytes)
  const key = Buffer.from(hkdfSync('sha256', secret, salt, sealedInfo(request), 32))
  const count = sealedChunks(plain.length)
  const chunks = Array.from({ length: count }, (_, index) => {
    const cipher = createCipheriv('aes-256-gcm', key, sealedNonce(index, index === count - 1))
    const piece = plain.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  })
  return { by: publicKey.export({ format: 'jwk' }).x ?? '', body: Buffer.concat([salt, ...chunks]) }
}

async function* cutAt(body: Buffer, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += step) yield body.subarray(at, at + step)
}

function request(by: string | undefined): IncomingMessage {
  return { headers: by === undefined ? {} : { [header]: by } } as unknown as IncomingMessage
}

async function openedOf(by: string | undefined, body: Buffer, what = PART, step = 1000): Promise<Buffer> {
  const { source } = bodies.open(request(by), what, { source: cutAt(body, step), length: body.length })
  return Buffer.concat(await Array.fromAsync(source))
}

describe('a sealed body', () => {
  it('opens to what was sealed, however it was cut on the way', async () => {
    const sizes = fc.constantFrom(0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes)
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 500, max: 400_000 }), async (size, step) => {
        const plain = randomBytes(size)
        const { by, body } = seal(plain, PART)
        expect(body.length).toBe(sealedLength(size))
        expect((await openedOf(by, body, PART, step)).equals(plain)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('says how long it is inside, and an unsealed one stays as it is', async () => {
    const { by, body } = seal(randomBytes(10), PART)
    expect(bodies.open(request(by), PART, { source: cutAt(body, 9), length: body.length }).length).toBe(10)
    expect(bodies.open(request(by), PART, { source: cutAt(body, 9), length: undefined }).length).toBeUndefined()
    expect((await openedOf(undefined, Buffer.from('plain'))).toString()).toBe('plain')
  })

  it('is refused when a bit of it changed, wherever', async () => {
    const { by, body } = seal(randomBytes(chunkBytes + 20), PART)
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(body)
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at)
        await expect(openedOf(by, changed, PART, 50_000)).rejects.toThrow('UPLOAD_PART_INVALID')
      }),
      { numRuns: 50 },
    )
  })

  it('is refused for another request, with chunks cut off or exchanged, and with a key of somebody else', async () => {
    const { by, body } = seal(randomBytes(2 * chunkBytes), PART)
    const sealedChunk = chunkBytes + tagBytes
    const [salt, one, two] = [
      body.subarray(0, saltBytes),
      body.subarray(saltBytes, -sealedChunk),
      body.subarray(-sealedChunk),
    ]
    const refused = [
      openedOf(by, body, { uploadId: 'a1', offset: 1 }),
      openedOf(by, body, 'pack'),
      openedOf(by, Buffer.concat([salt, one])),
      openedOf(by, Buffer.concat([salt, two, one])),
      openedOf(seal(randomBytes(1), PART).by, body),
    ]
    for (const opened of refused) await expect(opened).rejects.toThrow('UPLOAD_PART_INVALID')
  })

  it.each(['', 'AAAA', 'A'.repeat(43), 'not a key of anything, not at all, no no no!'])(
    'is refused by the key %j',
    async (by) => {
      await expect(openedOf(by, seal(randomBytes(1), PART).body)).rejects.toThrow('UPLOAD_PART_INVALID')
    },
  )

  it('is refused by a length that no sealed body has, before it is read', () => {
    const { by } = seal(randomBytes(1), PART)
    expect(() => bodies.open(request(by), PART, { source: cutAt(Buffer.alloc(0), 1), length: 40 })).toThrow(
      'UPLOAD_PART_INVALID',
    )
  })

  it('is opened by every server of an installation: the key comes from its own', () => {
    expect(createSealedBodies(vault).publicKey).toBe(bodies.publicKey)
    expect(Buffer.from(bodies.publicKey, 'base64url')).toHaveLength(32)
  })
})
