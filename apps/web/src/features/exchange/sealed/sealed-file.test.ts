import fc from 'fast-check'
import { paddedBytes, SEALED_FILE } from '@godwit/contract/exchange/sealed-files'
import { describe, expect, it } from 'vitest'
import { openContent, openStart, RECORD_BYTES, SealBroken } from './open-file.ts'
import {
  fingerprintOf,
  fragmentOf,
  keyInFragment,
  publicOf,
  secretKeyOf,
  type SecretKey,
  senderOf,
} from './seal-keys.ts'
import { sealFile } from './seal-file.ts'
import { naiveKey, naiveOpen, naivePadded, naiveSeal } from './testing/naive-sealed-file.ts'

const { chunkBytes } = SEALED_FILE
const RUNS = 25

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Uint8Array.from(bytes))
const aName = fc
  .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
  .map((name) => name.replaceAll('/', '_').normalize())
  .filter((name) => !/^\.{0,2}$/.test(name))
const aPath = fc.array(aName, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const aSize = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }),
  fc.constantFrom(chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 70_001),
)
const aFile = fc.record({ path: aPath, modified: fc.nat(), size: aSize, fill: fc.nat(255) })

interface Drawn {
  readonly path: string
  readonly modified: number
  readonly size: number
  readonly fill: number
}

function contentOf({ size, fill }: Drawn): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 11) + fill) & 255))
}

function fileOf(drawn: Drawn) {
  const blob = new Blob([Uint8Array.from(contentOf(drawn))])
  return { size: blob.size, lastModified: drawn.modified, slice: blob.slice.bind(blob) }
}

async function sealedBy(drawn: Drawn, secret: Uint8Array<ArrayBuffer>, seed: Uint8Array<ArrayBuffer>) {
  const link = secretKeyOf(secret)
  const sealed = await sealFile(fileOf(drawn), drawn.path, { link: publicOf(link), sender: senderOf(seed) })
  const bytes = Buffer.from(await (await sealed.read(0, sealed.size)).arrayBuffer())
  return { link, sealed, bytes }
}

async function* inPieces(bytes: Uint8Array, step: number) {
  for (let at = 0; at < bytes.length; at += step) yield Uint8Array.from(bytes.subarray(at, at + step))
}

async function opened(link: SecretKey, bytes: Uint8Array, step = 100_000) {
  const file = await openStart(link, Uint8Array.from(bytes))
  const parts: Uint8Array[] = []
  for await (const part of openContent(file, inPieces(bytes.subarray(file.start.length), step))) parts.push(part)
  return { file, content: Buffer.concat(parts) }
}

describe('a sealed file', () => {
  it('is, byte for byte, what the second implementation seals, and each opens what the other sealed', async () => {
    await fc.assert(
      fc.asyncProperty(
        aFile,
        bytes32,
        bytes32,
        fc.integer({ min: 9_000, max: 300_000 }),
        async (drawn, secret, seed, step) => {
          const { link, sealed, bytes } = await sealedBy(drawn, secret, seed)
          const naive = naiveKey(secret)
          const content = contentOf(drawn)
          const other = naiveSeal(naive.open, seed, { path: drawn.path, modified: drawn.modified, content })
          expect(sealed.name).toBe(other.name)
          expect(bytes.equals(other.bytes)).toBe(true)
          const back = naiveOpen(naive, bytes)
          expect([back.path, back.modified, back.content.equals(content)]).toEqual([drawn.path, drawn.modified, true])
          const mine = await opened(link, bytes, step)
          expect([mine.file.path, mine.file.modified, mine.content.equals(content)]).toEqual([
            drawn.path,
            drawn.modified,
            true,
          ])
          expect(mine.file.sealedBytes).toBe(bytes.length)
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('is the same in any pieces, so that parts of an upload go on where they stood', async () => {
    const range = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(aFile, bytes32, bytes32, range, async (drawn, secret, seed, ends) => {
        const { sealed, bytes } = await sealedBy(drawn, secret, seed)
        const [from = 0, to = 0] = ends.map((share) => Math.round(share * sealed.size)).toSorted((a, b) => a - b)
        const part = Buffer.from(await (await sealed.read(from, to)).arrayBuffer())
        expect(part.equals(bytes.subarray(from, to))).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('is broken by any changed bit, by a lost end and by what is added', async () => {
    await fc.assert(
      fc.asyncProperty(aFile, bytes32, bytes32, fc.nat(), fc.nat(7), async (drawn, secret, seed, place, bit) => {
        const { link, bytes } = await sealedBy(drawn, secret, seed)
        const changed = Buffer.from(bytes)
        const at = place % bytes.length
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        // The highest bit of an X25519 key means nothing (RFC 7748 §5), so the secret stays the same; the head does not.
        await expect(opened(link, changed)).rejects.toThrow(SealBroken)
        await expect(opened(link, bytes.subarray(0, bytes.length - 1 - (place % bytes.length)))).rejects.toThrow(
          SealBroken,
        )
        await expect(opened(link, Buffer.concat([bytes, Buffer.of(0)]))).rejects.toThrow(SealBroken)
      }),
      { numRuns: RUNS },
    )
  })

  it('is broken by records that were swapped, repeated, left out, cut at their border, or taken from another file', async () => {
    const drawn = { path: 'a.bin', modified: 1, size: 4 * chunkBytes, fill: 3 }
    const [secret, seed] = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)]
    const { link, bytes } = await sealedBy(drawn, secret, seed)
    const { bytes: twin } = await sealedBy({ ...drawn, path: 'b.bin' }, secret, seed)
    const start = bytes.length - 4 * RECORD_BYTES
    const record = (from: Buffer, at: number): Buffer =>
      from.subarray(start + at * RECORD_BYTES, start + (at + 1) * RECORD_BYTES)
    const built = (...records: readonly Buffer[]): Buffer => Buffer.concat([bytes.subarray(0, start), ...records])
    const [one, two, three, four] = [0, 1, 2, 3].map((at) => record(bytes, at))
    if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error('records')
    expect((await opened(link, built(one, two, three, four))).content.length).toBe(drawn.size)
    for (const wrong of [
      built(two, one, three, four),
      built(one, one, three, four),
      built(one, two, four),
      built(one, two, three),
      built(one, two, three, four, four),
      built(one, record(twin, 1), three, four),
      Buffer.concat([twin.subarray(0, start), one, two, three, four]),
    ])
      await expect(opened(link, wrong)).rejects.toThrow(SealBroken)
  })

  it('opens with the secret of its own link alone', async () => {
    const drawn = { path: 'a.txt', modified: 1, size: 10, fill: 1 }
    const { bytes } = await sealedBy(drawn, new Uint8Array(32).fill(1), new Uint8Array(32).fill(2))
    await expect(opened(secretKeyOf(new Uint8Array(32).fill(3)), bytes)).rejects.toThrow(SealBroken)
  })

  it('never seals two contents with one nonce, though path, size and time are the same', async () => {
    const drawn = { path: 'a.txt', modified: 1, size: 300_000, fill: 1 }
    const [secret, seed] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
    const [first, second] = [await sealedBy(drawn, secret, seed), await sealedBy({ ...drawn, fill: 2 }, secret, seed)]
    expect(first.sealed.name).toBe(second.sealed.name)
    const at = first.bytes.length - 2 * 28 - paddedBytes(drawn.size)
    expect(first.bytes.subarray(at, at + 12).equals(second.bytes.subarray(at, at + 12))).toBe(false)
  })

  it('shows little of its size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), (size) => {
        const padded = paddedBytes(size)
        expect(padded).toBe(naivePadded(size))
        expect(padded).toBeGreaterThanOrEqual(size)
        expect(padded).toBeLessThanOrEqual(Math.ceil(size * 1.12))
      }),
    )
    expect(paddedBytes(5 * 1024 ** 3) / (5 * 1024 ** 3)).toBeLessThan(1.016)
  })
})

describe('the key of a link', () => {
  it('comes back from the part of an address behind #, and is nobody’s to guess from what the server has', () => {
    fc.assert(
      fc.property(bytes32, (secret) => {
        const key = secretKeyOf(secret)
        expect(keyInFragment(fragmentOf(key))).toEqual(key)
        expect(keyInFragment(fragmentOf(publicOf(key)))).toEqual(publicOf(key))
        expect(fingerprintOf(publicOf(key))).toBe(fingerprintOf(key))
        expect(fingerprintOf(key)).toMatch(/^[A-Za-z0-9_-]{22}$/)
      }),
    )
  })

  it.each(['', '#', '#s=', '#to=abc', '#s=tooshort', `#p=${'a'.repeat(44)}`, `#s=${'é'.repeat(43)}`])(
    'is not in %j',
    (hash) => expect(keyInFragment(hash)).toBeUndefined(),
  )
})
