import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { KiB, MiB, systemClock } from '@godwit/base'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LentBlocks } from '../lent-blocks.ts'
import { AlignedBlocks } from './aligned-blocks.ts'
import type { Disk } from './disk.ts'
import { nodeDisk } from './node-disk.ts'
import type { BlockLender, ByteSource, FillingSource } from '../object-store.ts'
import { BATCH_BYTES, writeSpan, type SpanTarget } from './span-writer.ts'

const SIZE = 4 * MiB
const CONTENT = Buffer.from(Uint8Array.from({ length: SIZE }, (_, at) => (at * 2_654_435_761) >>> 11))
const disk = nodeDisk(systemClock)
const blocks = new AlignedBlocks()
const lent = new LentBlocks({ count: 32, bytes: MiB })

let folder: string
let hasDirect: boolean
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-span-'))
  fs.writeFileSync(path.join(folder, 'probe'), '')
  hasDirect = await disk
    .openDirect(path.join(folder, 'probe'), fs.constants.O_WRONLY)
    .then(disk.close, () => undefined)
    .then(
      () => true,
      () => false,
    )
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

interface Span {
  readonly offset: number
  readonly length: number
}

/** Writes a span of CONTENT in pieces and returns what the file then holds there. */
function written(span: Span, pieces: readonly number[], via: Disk = disk): Promise<Buffer> {
  return writtenFrom(span, cut(span, pieces), via)
}

async function writtenFrom(span: Span, source: ByteSource, via: Disk = disk): Promise<Buffer> {
  const name = path.join(folder, 'file')
  fs.writeFileSync(name, Buffer.alloc(SIZE))
  const file = await disk.open(name, fs.constants.O_WRONLY)
  const direct = hasDirect ? await disk.openDirect(name, fs.constants.O_WRONLY) : undefined
  const target: SpanTarget = {
    disk: via,
    clock: systemClock,
    file,
    direct: direct === undefined ? undefined : { file: direct, blocks, lent },
    batchBytes: () => BATCH_BYTES,
    key: 'file',
    admit: () => Promise.resolve(),
    onFlushFailed: () => undefined,
  }
  try {
    expect(await writeSpan(target, span, source, {})).toBe(span.length)
  } finally {
    await disk.close(file)
    if (direct !== undefined) await disk.close(direct)
  }
  return fs.readFileSync(name)
}

async function* cut({ offset, length }: Span, pieces: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < length; turn++) {
    const size = Math.min(pieces[turn % pieces.length] ?? length, length - at)
    yield CONTENT.subarray(offset + at, offset + at + size)
    at += size
    await Promise.resolve()
  }
}

/** Fills blocks, with chunks in memory of its own wherever `plain` has a size. */
class Filling implements FillingSource {
  readonly #span: Span
  readonly #plain: readonly number[]
  #lender: BlockLender | undefined
  lentBytes = 0

  constructor(span: Span, plain: readonly number[]) {
    this.#span = span
    this.#plain = plain
  }

  fillFrom(lender: BlockLender): void {
    this.#lender = lender
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { offset, length } = this.#span
    for (let at = 0, turn = 0; at < length; turn++) {
      const plain = this.#plain[turn % this.#plain.length] ?? 0
      const block = plain === 0 ? this.#lender?.borrow(() => undefined) : undefined
      const size = Math.min(block?.length ?? (plain || 64 * KiB), length - at)
      const bytes = CONTENT.subarray(offset + at, offset + at + size)
      block?.set(bytes)
      if (block !== undefined) this.lentBytes += size
      at += size
      yield block?.subarray(0, size) ?? Buffer.from(bytes)
    }
  }
}

function freeBlocks(): number {
  const free: Uint8Array[] = []
  for (let block = lent.borrow(() => undefined); block !== undefined; block = lent.borrow(() => undefined)) {
    free.push(block)
  }
  for (const block of free) lent.release(block)
  return free.length
}

/** CONTENT where the span is, zeros elsewhere. */
function expected({ offset, length }: Span): Buffer {
  return Buffer.concat([
    Buffer.alloc(offset),
    CONTENT.subarray(offset, offset + length),
    Buffer.alloc(SIZE - offset - length),
  ])
}

const spans = fc
  .tuple(fc.integer({ min: 0, max: SIZE - 1 }), fc.integer({ min: 1, max: SIZE }))
  .map(([offset, length]) => ({ offset, length: Math.min(length, SIZE - offset) }))
const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 * KiB }), fc.constant(64 * KiB)), {
  minLength: 1,
  maxLength: 6,
})

describe('a span of a file', () => {
  it('holds exactly its bytes wherever it begins and however its source is cut', async () => {
    await fc.assert(
      fc.asyncProperty(spans, pieces, async (span, sizes) => {
        const cuts = span.length / Math.min(...sizes) > 20_000 ? [64 * KiB] : sizes
        expect((await written(span, cuts)).equals(expected(span))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
  it('holds exactly its bytes when the source fills blocks of ours, and has them all back', async () => {
    const all = freeBlocks()
    const plain = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90_000 }), fc.constant(0)), {
      minLength: 1,
      maxLength: 6,
    })
    const starts = fc.oneof(fc.constant(0), fc.constant(MiB), fc.integer({ min: 0, max: SIZE - 1 }))
    const cases = fc.tuple(starts, fc.integer({ min: 1, max: SIZE }), plain)
    await fc.assert(
      fc.asyncProperty(cases, async ([offset, most, sizes]) => {
        const span = { offset, length: Math.min(most, SIZE - offset) }
        const cuts = span.length / Math.max(...sizes, 1) > 20_000 && !sizes.includes(0) ? [64 * KiB] : sizes
        expect((await writtenFrom(span, new Filling(span, cuts))).equals(expected(span))).toBe(true)
        expect(freeBlocks()).toBe(all)
      }),
      { numRuns: 60 },
    )
  })
  it('writes filled blocks as they are', async () => {
    const span = { offset: 0, length: SIZE }
    const source = new Filling(span, [0])
    const written: number[] = []
    const watching: Disk = {
      ...disk,
      write: (file, chunks, position) => {
        written.push(...chunks.map(({ length }) => length))
        return disk.write(file, chunks, position)
      },
    }
    expect((await writtenFrom(span, source, watching)).equals(expected(span))).toBe(true)
    if (!hasDirect) return
    expect([source.lentBytes, written]).toEqual([SIZE, [MiB, MiB, MiB, MiB]])
  })
  it('has its blocks back when the disk fails', async () => {
    const all = freeBlocks()
    const failing: Disk = {
      ...disk,
      write: () => Promise.reject(Object.assign(new Error('broken'), { code: 'EIO', syscall: 'pwrite' })),
    }
    const span = { offset: 0, length: MiB }
    await expect(writtenFrom(span, new Filling(span, [0]), failing)).rejects.toThrow('io')
    expect(freeBlocks()).toBe(all)
  })
  it('goes on through the page cache when direct writes are refused at the first try', async () => {
    const refusing: Disk = {
      ...disk,
      write: (file, chunks, position) => {
        const isDirect = chunks.length === 1 && position % 4096 === 0 && (chunks[0]?.length ?? 0) > 100 * KiB
        return isDirect
          ? Promise.reject(Object.assign(new Error('refused'), { code: 'EINVAL', syscall: 'pwrite' }))
          : disk.write(file, chunks, position)
      },
    }
    const span = { offset: 0, length: 3 * MiB }
    expect((await written(span, [64 * KiB], refusing)).equals(expected(span))).toBe(true)
  })
  it('takes short writes of the disk', async () => {
    const slow: Disk = {
      ...disk,
      write: (file, chunks, position) =>
        disk.write(file, [chunks[0]?.subarray(0, 8 * KiB) ?? new Uint8Array()], position),
    }
    const span = { offset: 4096, length: MiB + 77 }
    expect((await written(span, [64 * KiB], slow)).equals(expected(span))).toBe(true)
  })
})
