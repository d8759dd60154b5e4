import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Download, DownloadOptions } from './downloads.ts'
import type { Godwit } from './godwit.ts'
import { blake3, TreeHasher } from './hashes.ts'
import { downloadFile } from './node.ts'

const PIECE_BYTES = 64 << 10
const PIECES = 40
const content = createHash('shake256', { outputLength: PIECES * PIECE_BYTES })
  .update('twice')
  .digest()

describe('a file that is fetched twice at once to the same place', () => {
  let folder = ''
  let target = ''
  let hash = ''
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-sdk-node-'))
    target = join(folder, 'film.mov')
    const hasher = new TreeHasher(await blake3())
    hasher.update(content)
    hash = hasher.root()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A call that stops with its first `pieces` on the disk until it is let go. */
  const fetchUpTo = (pieces: number) => {
    const there = Promise.withResolvers<undefined>()
    const gate = Promise.withResolvers<undefined>()
    const streamFrom = (offset: number): Download['stream'] => {
      let at = offset
      const pull = async (to: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> => {
        // What came before has been written by the time the next one is asked for.
        if (at - offset === pieces * PIECE_BYTES) {
          there.resolve(undefined)
          await gate.promise
        }
        if (at >= content.length) return to.close()
        to.enqueue(content.subarray(at, at + PIECE_BYTES))
        at += PIECE_BYTES
      }
      return new ReadableStream({ pull }, { highWaterMark: 0 })
    }
    const download = (_path: string, { from }: DownloadOptions = {}): Promise<Download> =>
      Promise.resolve({ size: content.length, etag: '"v1"', stream: streamFrom(from?.offset ?? 0) })
    const items = [{ file_type: 'File', size: content.length, hash }]
    const api = { operation: () => Promise.resolve({ items }) }
    const result = downloadFile({ api, download } as unknown as Godwit, '/film.mov', target)
    return { there: there.promise, result, letGo: () => gate.resolve(undefined) }
  }
  const whole = { size: content.length, isVerified: true }
  const isWhole = (): boolean => readFileSync(target).equals(content)

  it('is whole whenever one of them has it, in whatever turns they write', async () => {
    const first = fetchUpTo(PIECES / 2)
    await first.there
    const second = fetchUpTo(3)
    await second.there
    first.letGo()
    expect(await first.result).toMatchObject(whole)
    expect(isWhole()).toBe(true)
    second.letGo()
    expect(await second.result).toMatchObject(whole)
    expect(isWhole()).toBe(true)
    expect(readdirSync(folder)).toEqual(['film.mov'])
  })

  it('is whole for the slower one as well, whose part the other one has put in place', async () => {
    const first = fetchUpTo(PIECES / 2)
    await first.there
    const second = fetchUpTo(0)
    second.letGo()
    expect(await second.result).toMatchObject(whole)
    first.letGo()
    expect(await first.result).toMatchObject(whole)
    expect(isWhole()).toBe(true)
  })

  it('is busy for a call whose part somebody took away, and what is there stays', async () => {
    const first = fetchUpTo(PIECES / 2)
    await first.there
    const [part = ''] = readdirSync(folder)
    renameSync(join(folder, part), join(folder, 'away'))
    writeFileSync(target, 'another')
    // Of a third call, that has just begun.
    writeFileSync(join(folder, part), 'begun')
    first.letGo()
    await expect(first.result).rejects.toEqual(expect.objectContaining({ name: 'FILE_BUSY' }))
    expect(readFileSync(target, 'utf8')).toBe('another')
    expect(readFileSync(join(folder, part), 'utf8')).toBe('begun')
  })

  it('begins anew with a part that is longer than the file', async () => {
    writeFileSync(join(folder, '.film.mov.v1.part'), Buffer.concat([content, content.subarray(0, PIECE_BYTES)]))
    const { result, letGo } = fetchUpTo(0)
    letGo()
    expect(await result).toMatchObject(whole)
    expect(isWhole()).toBe(true)
  })
})
