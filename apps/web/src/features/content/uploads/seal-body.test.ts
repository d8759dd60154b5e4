import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { secureRandom } from '@godwit/base'
import { SEALED_BODY, sealedChunks, sealedInfo, sealedNonce } from '@godwit/contract/content/sealed-bodies'
import { describe, expect, it } from 'vitest'
import { nativeSealer, portableSealer, sealBody } from './seal-body.ts'

const { chunkBytes, saltBytes, tagBytes } = SEALED_BODY
const REQUEST = { uploadId: 'a1', offset: 16_777_216 }

describe('a body sealed in the page', () => {
  it.each([0, 1, chunkBytes, chunkBytes + 1])(
    'of %i bytes is opened with the key of the server alone',
    async (size) => {
      const server = generateKeyPairSync('x25519')
      const plain = Buffer.alloc(size, 'tide')
      const to = server.publicKey.export({ format: 'jwk' }).x ?? ''
      const { body, by } = await sealBody(new Blob([plain]), { to, request: REQUEST }, secureRandom)
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: by }, format: 'jwk' })
      const bytes = Buffer.from(await body.arrayBuffer())
      const secret = diffieHellman({ privateKey: server.privateKey, publicKey })
      const key = Buffer.from(hkdfSync('sha256', secret, bytes.subarray(0, saltBytes), sealedInfo(REQUEST), 32))
      const count = sealedChunks(size)
      const opened = Array.from({ length: count }, (_, index) => {
        const start = saltBytes + index * (chunkBytes + tagBytes)
        const chunk = bytes.subarray(start, start + chunkBytes + tagBytes)
        const decipher = createDecipheriv('aes-256-gcm', key, sealedNonce(index, index === count - 1))
        decipher.setAuthTag(chunk.subarray(-tagBytes))
        return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
      })
      expect(Buffer.concat(opened).equals(plain)).toBe(true)
    },
  )

  it('is the same with the cipher of the browser and without it', async () => {
    const key = Uint8Array.from(secureRandom.fill(new Uint8Array(32)))
    const chunk = Uint8Array.from(secureRandom.fill(new Uint8Array(1000)))
    const nonce = Uint8Array.from(sealedNonce(3, true))
    const native = await (await nativeSealer(crypto.subtle, key))(nonce, chunk)
    expect(await portableSealer(key)(nonce, chunk)).toEqual(native)
  })

  it('is another one each time', async () => {
    const to = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }).x ?? ''
    const [one, two] = await Promise.all(
      [1, 2].map(() => sealBody(new Blob(['same']), { to, request: 'pack' }, secureRandom)),
    )
    expect(one?.by).not.toBe(two?.by)
    const bodies = [one, two].map((sealed) => (sealed?.body ?? new Blob()).arrayBuffer())
    const bytes = (await Promise.all(bodies)).map((body) => Buffer.from(body).toString('hex'))
    expect(new Set(bytes).size).toBe(2)
  })
})
