import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combineCrc32 } from './crc32-combine.ts'
import { ZipWriter } from './downloads.zip.ts'
import { ZIP_FORMAT, type ZipEntry, type ZipLimits } from './zip-format.ts'
import { layoutOf, piecesOf, type ZipLayout } from './zip-layout.ts'

const GiB = 2 ** 30

interface File extends ZipEntry {
  readonly content: Uint8Array
}

const time = fc.date({ min: new Date(0), max: new Date('2120-01-01'), noInvalidDate: true })
const name = fc.string({ unit: fc.constantFrom('a', 'é', '文', '件', '😀', ' ', '.'), minLength: 1, maxLength: 12 })
const file = fc
  .record({ name, at: time, content: fc.uint8Array({ maxLength: 300 }), isFolder: fc.boolean() })
  .map(({ name: path, at, content, isFolder }): File => {
    const modifiedMs = at.getTime()
    if (isFolder) return { name: `${path}/`, modifiedMs, size: 0, content: new Uint8Array() }
    return { name: path, modifiedMs, size: content.length, content }
  })
const tree = fc.array(file, { maxLength: 12 })
const limits = fc.constantFrom<ZipLimits>(
  ZIP_FORMAT,
  { bytes: 200, contentBytes: 150, entries: 3 },
  { bytes: 1, contentBytes: 0, entries: 1 },
)

function written(files: readonly File[], how: ZipLimits): Buffer {
  const zip = new ZipWriter(how)
  const pieces: Uint8Array[] = []
  for (const one of files) {
    pieces.push(zip.begin(one))
    zip.content(one.content)
    pieces.push(one.content, zip.end())
  }
  return Buffer.concat([...pieces, ...zip.finish()])
}

async function slice(layout: ZipLayout<File>, start: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const contentOf = (index: number) => layout.entries[index]?.content ?? new Uint8Array()
  for await (const piece of piecesOf(layout, { start, end }, (index) => crc32(contentOf(index))))
    pieces.push(
      piece.kind === 'frame' ? piece.bytes : contentOf(piece.index).subarray(piece.span.start, piece.span.end),
    )
  return Buffer.concat(pieces)
}

describe('the layout of a zip', () => {
  it('makes every range of it as it stands in the whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        limits,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
        async (files, how, cuts) => {
          const whole = written(files, how)
          const layout = layoutOf(files, how)
          expect(layout.totalBytes).toBe(whole.length)
          expect((await slice(layout, 0, whole.length)).equals(whole)).toBe(true)
          for (const cut of cuts) {
            const [start = 0, end = 0] = cut.map((at) => at % (whole.length + 1)).toSorted((a, b) => a - b)
            expect((await slice(layout, start, end)).equals(whole.subarray(start, end)), `${start}-${end}`).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('knows what stands beyond 4 GiB, and asks for no checksum that is not sent', async () => {
    const entry = (path: string, size: number) => ({ name: path, size, modifiedMs: 0, content: new Uint8Array() })
    const layout = layoutOf([entry('long', 5 * GiB), entry('next', 7), entry('last/', 0)])
    const second = layout.offsets[1] ?? 0
    const content = second + 30 + 4 + 9
    const asked: number[] = []
    const spans: unknown[] = []
    const range = { start: content + 2, end: content + 7 + 16 }
    for await (const piece of piecesOf(layout, range, (index) => (asked.push(index), 1)))
      spans.push(piece.kind === 'frame' ? piece.bytes.length : piece)
    expect(second).toBeGreaterThan(5 * GiB)
    expect(asked).toEqual([1])
    expect(spans).toEqual([{ kind: 'content', index: 1, span: { start: 2, end: 7 } }, 16])
    const tail = await slice(layout, layout.directoryStart, layout.totalBytes)
    expect(tail.length).toBe(layout.totalBytes - layout.directoryStart)
    expect(tail.indexOf('PK\u0006\u0006')).toBe(layout.directoryBytes)
  })
})

describe('checksums of two pieces', () => {
  it('join to that of both', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.uint8Array({ maxLength: 5_000 }), (first, second) => {
        const both = crc32(Buffer.concat([first, second]))
        expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(both)
      }),
    )
  })
})
