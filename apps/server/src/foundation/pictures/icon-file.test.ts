import { describe, expect, it } from 'vitest'
import { iconFileOf, pngOf } from '../../testing/images.ts'
import { PictureFault } from '../decoding/index.ts'
import { isIcon, openIcon } from './icon-file.ts'

const RED = [200, 30, 10, 255]
const BLUE = [10, 30, 200, 255]
const CLEAR = [10, 30, 200, 0]

/** Two rows of two pixels as Windows keeps them: red and blue above, red and one that is not seen below. */
function bitmapOf(bits: 1 | 4 | 8 | 24 | 32): Buffer {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(2, 4)
  header.writeInt32LE(4, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bits, 14)
  const colors = bits > 8 ? [] : Array.from({ length: 2 ** bits }, (_, at) => (at === 1 ? BLUE : RED))
  const palette = Buffer.from(colors.flatMap(([r = 0, g = 0, b = 0]) => [b, g, r, 0]))
  const rows = [
    [RED, BLUE],
    [RED, CLEAR],
  ].toReversed()
  const mask = Buffer.from([0x40, 0, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, palette, ...rows.map((row) => rowOf(row, bits)), mask])
}

function rowOf(pixels: readonly number[][], bits: number): Buffer {
  const row = Buffer.alloc(Math.ceil((2 * bits) / 32) * 4)
  pixels.forEach(([r = 0, g = 0, b = 0, a = 0], x) => {
    if (bits > 8) Buffer.from(bits === 32 ? [b, g, r, a] : [b, g, r]).copy(row, (x * bits) / 8)
    else if (b === 200) row[(x * bits) >> 3] = (row[(x * bits) >> 3] ?? 0) | (1 << (8 - bits - ((x * bits) % 8)))
  })
  return row
}

const pixelsOf = async (file: Buffer) => [...(await openIcon(file).ensureAlpha().raw().toBuffer())]

describe('an icon file', () => {
  it.each([1, 4, 8, 24, 32] as const)('shows its bitmap of %i bits', async (bits) => {
    const file = iconFileOf([{ length: 2, picture: bitmapOf(bits) }])
    expect(isIcon(file)).toBe(true)
    expect(await pixelsOf(file)).toEqual([...RED, ...BLUE, ...RED, ...CLEAR])
  })

  it('shows the largest of its pictures', async () => {
    const file = iconFileOf([
      { length: 2, picture: bitmapOf(32) },
      { length: 48, picture: pngOf(48, 48) },
      { length: 16, picture: pngOf(16, 16) },
    ])
    expect(await openIcon(file).metadata()).toMatchObject({ width: 48, height: 48 })
  })

  it('is refused where it is cut, or holds something else', () => {
    const whole = iconFileOf([{ length: 2, picture: bitmapOf(8) }])
    // Nobody misses the padding of the last row.
    for (let length = 22; length <= whole.length - 4; length++) {
      expect(() => openIcon(whole.subarray(0, length))).toThrow(PictureFault)
    }
    const packed = bitmapOf(8)
    packed.writeUInt32LE(1, 16)
    expect(() => openIcon(iconFileOf([{ length: 2, picture: packed }]))).toThrow(PictureFault)
  })
})
