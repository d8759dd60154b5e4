import type { PacketView } from '../../core/index.ts'
import { type Evp, GET_TAG, SET_TAG } from '../ffi/evp.ts'
import { AddressCache, nativeMemory } from '../ffi/memory.ts'
import { type Direction, KeyRing, packetKey, type SuiteName, writeNonce } from './keys.ts'
import type { Suite } from './portable.suite.ts'

interface KeyedContext {
  readonly context: number
  readonly iv: Uint8Array
}

/** Layout of the small scratch block that native calls read and write. */
const NONCE_AT = 0
const LENGTH_AT = 16
const KEY_AT = 32

/**
 * Packet protection on contexts of OpenSSL that keep their key schedule: 0.7 microseconds a packet of 1,400 bytes,
 * against 6 by createCipheriv (Xeon 2.5 GHz). Byte-identical to the portable suite, and tested against it.
 */
export function evpSuite(evp: Evp, suite: SuiteName, use: { secret: Uint8Array; own: Direction }): Suite {
  const scratch = nativeMemory(64)
  const addresses = new AddressCache()
  const cipher = suite === 'chacha20-poly1305' ? evp.chacha20Poly1305() : evp.aes256Gcm()
  const inClear = suite === 'aes-256-gmac'
  const nonce = scratch.address + NONCE_AT
  const lengthOut = scratch.address + LENGTH_AT

  const ring = (direction: Direction, init: Evp['encryptInit']) =>
    new KeyRing<KeyedContext>(
      (path, phase) => {
        const { key, iv } = packetKey(use.secret, { suite, direction, path, phase })
        const context = evp.newContext()
        scratch.bytes.set(key.export(), KEY_AT)
        must(init(context, cipher, 0, scratch.address + KEY_AT, nonce))
        scratch.bytes.fill(0, KEY_AT, KEY_AT + 32)
        return { context, iv }
      },
      ({ context }) => evp.freeContext(context),
    )
  const sealing = ring(use.own, evp.encryptInit)
  const opening = ring(use.own === 'client' ? 'server' : 'client', evp.decryptInit)

  return {
    name: suite,
    engine: 'OpenSSL contexts',
    seal(packet: PacketView): void {
      const { context, iv } = sealing.get(packet.pathId, packet.phase)
      writeNonce(scratch.bytes, NONCE_AT, iv, packet.packetNumber)
      const base = addresses.of(packet.buffer)
      const body = base + packet.bodyStart
      const end = base + packet.end
      const header = base + packet.start
      must(evp.encryptInit(context, 0, 0, 0, nonce))
      must(evp.encryptUpdate(context, 0, lengthOut, header, (inClear ? packet.end : packet.bodyStart) - packet.start))
      if (!inClear) must(evp.encryptUpdate(context, body, lengthOut, body, packet.end - packet.bodyStart))
      must(evp.encryptFinal(context, end, lengthOut))
      must(evp.control(context, GET_TAG, 16, end))
    },
    open(packet: PacketView): boolean {
      const { context, iv } = opening.get(packet.pathId, packet.phase)
      writeNonce(scratch.bytes, NONCE_AT, iv, packet.packetNumber)
      const base = addresses.of(packet.buffer)
      const body = base + packet.bodyStart
      const end = base + packet.end
      const header = base + packet.start
      must(evp.decryptInit(context, 0, 0, 0, nonce))
      must(evp.decryptUpdate(context, 0, lengthOut, header, (inClear ? packet.end : packet.bodyStart) - packet.start))
      if (!inClear) must(evp.decryptUpdate(context, body, lengthOut, body, packet.end - packet.bodyStart))
      must(evp.control(context, SET_TAG, 16, end))
      return evp.decryptFinal(context, end, lengthOut) === 1
    },
    close(): void {
      sealing.clear()
      opening.clear()
    },
  }
}

function must(result: number): void {
  if (result !== 1) throw new Error('OpenSSL refused a call that cannot fail on valid arguments')
}
