import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { rawPreview } from './raw-preview.ts'
import { rawFile, rawFiles } from '@godwit/testkit'

let jpeg: Buffer
let files: ReturnType<typeof rawFiles>

beforeAll(async () => {
  const blank = { create: { width: 60, height: 40, channels: 3, background: '#804020' } } as const
  jpeg = await sharp(blank).jpeg().toBuffer()
  files = rawFiles(jpeg, await sharp(blank).resize(12, 8).jpeg().toBuffer(), 6)
})

describe('the picture in a raw file', () => {
  it.each(['cr2', 'nef', 'arw', 'dng'] as const)('is the largest one of %s that is no sensor data', (kind) => {
    const found = rawPreview(files[kind])
    expect(found?.orientation).toBe(6)
    expect(files[kind].subarray(found?.start, found?.end).equals(jpeg)).toBe(true)
  })

  it('is not looked for in a TIFF picture, whose pages may be JPEGs', () => {
    const page = {
      values: [[0x103, 3, 7] as const, [0x106, 3, 6] as const],
      picture: { content: jpeg, as: 'strip' },
    } as const
    expect(rawPreview(rawFile([page]))).toBeUndefined()
  })

  it('is missing where the file says that it reaches beyond its end', () => {
    const cut = files.arw.subarray(0, 16 + 100)
    expect(rawPreview(cut)).toBeUndefined()
  })

  it('is found or not in any bytes, always within them, and ends with directories in a circle', () => {
    const circle = Buffer.from(files.nef)
    const first = circle.readUInt32LE(4)
    circle.writeUInt32LE(first, first + 2 + circle.readUInt16LE(first) * 12)
    expect(rawPreview(circle)).toBeDefined()
    const isWithin = (file: Uint8Array): boolean => {
      const found = rawPreview(file)
      return found === undefined || (found.start >= 0 && found.start < found.end && found.end <= file.length)
    }
    const header = fc.constantFrom([0x49, 0x49, 42, 0], [0x4d, 0x4d, 0, 42])
    const garbage = fc
      .tuple(header, fc.uint8Array({ maxLength: 600 }))
      .map(([head, rest]) => Uint8Array.of(...head, ...rest))
    fc.assert(fc.property(garbage, isWithin), { numRuns: 2_000 })
    const changed = fc.tuple(
      fc.constantFrom(...Object.values(files)),
      fc.array(fc.tuple(fc.nat(4_000), fc.nat(255)), { maxLength: 12 }),
      fc.nat(4_000),
    )
    const damage = fc.property(changed, ([file, bytes, end]) => {
      const copy = Uint8Array.from(file)
      for (const [at, byte] of bytes) if (at < copy.length) copy[at] = byte
      return isWithin(copy) && isWithin(copy.subarray(0, end))
    })
    fc.assert(damage, { numRuns: 3_000 })
  })
})
