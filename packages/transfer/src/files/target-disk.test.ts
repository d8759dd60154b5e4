import * as fs from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_BYTES, seededRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { treeHash } from '../hashes/tree-hash.ts'
import type { TargetSpan, TargetState } from '../targets/target.ts'
import type { DiskFs } from './disk-fs.ts'
import { TargetDisk } from './target-disk.ts'

let root: string
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'gwt-target-')), 'in')
})
afterEach(() => fs.rmSync(join(root, '..'), { recursive: true }))

const random = seededRandom(5)
const keeps = { permissions: false, links: false, holes: false }
const { leaf: leafHash } = treeHash('blake3')

interface Source {
  readonly file: number
  readonly path: string
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

function sourceOf(file: number, path: string, length: number): Source {
  return { file, path, bytes: random.fill(new Uint8Array(length)), mtimeMs: 1_700_000_000_000 + file }
}

function open(disk: DiskFs = fs): { target: TargetDisk; state: TargetState } {
  const target = new TargetDisk(disk, () => 0)
  return { target, state: target.open({ root, taskId: new Uint8Array(16).fill(2), hash: 'blake3', keeps }) }
}

function pieceOf({ file, path, bytes, mtimeMs }: Source, leaf: number): { span: TargetSpan; bytes: Uint8Array } {
  const fileOffset = leaf * LEAF_BYTES
  const part = bytes.subarray(fileOffset, fileOffset + LEAF_BYTES)
  const span = { file, path, fileOffset, length: part.length, size: bytes.length, mtimeMs, mode: 0o644, blockOffset: 0 }
  return { span: { ...span, leaf: leafHash(part) }, bytes: part }
}

/** Writes one leaf of a file, or all of a small one. */
function put(target: TargetDisk, source: Source, leaf = 0) {
  const { span, bytes } = pieceOf(source, leaf)
  const block = new Uint8Array(new SharedArrayBuffer(bytes.length))
  block.set(bytes)
  return target.write({ block, spans: [span] })
}

function leaves({ bytes }: Source): number[] {
  return Array.from({ length: Math.ceil(bytes.length / LEAF_BYTES) }, (_value, leaf) => leaf)
}

/** Whether a file holds these bytes; comparing them one by one in JavaScript would take most of the test. */
function holds({ path, bytes }: Source): boolean {
  return fs.existsSync(join(root, path)) && fs.readFileSync(join(root, path)).equals(bytes)
}

function hidden(): string[] {
  return fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.gw(part|journal)$/.test(name))
}

/** Calls in the order they were made; `fails` may refuse one. */
function watched(calls: string[], fails: (call: string) => string | undefined = () => undefined): DiskFs {
  const recorded = <Name extends 'renameSync' | 'fdatasyncSync' | 'fsyncSync'>(name: Name): DiskFs[Name] =>
    ((...words: never[]) => {
      calls.push(name)
      const code = fails(name)
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      return (fs[name] as (...all: never[]) => unknown)(...words)
    }) as DiskFs[Name]
  return {
    ...fs,
    renameSync: recorded('renameSync'),
    fdatasyncSync: recorded('fdatasyncSync'),
    fsyncSync: recorded('fsyncSync'),
  }
}

describe('complete files', () => {
  const many = Array.from({ length: 20 }, (_value, index) => sourceOf(index, `d/${index}`, 100))

  it('get their names after one flush of the file system, and none before', () => {
    const calls: string[] = []
    const disk = { ...watched(calls), syncFilesystem: () => void calls.push('syncFilesystem') }
    const { target } = open(disk)
    for (const source of many) put(target, source)
    expect(fs.readdirSync(join(root, 'd')).every((name) => name.endsWith('.gwpart'))).toBe(true)
    expect(target.commit()).toMatchObject({ committed: 20, failed: [] })
    expect(calls.filter((call) => call === 'syncFilesystem')).toHaveLength(1)
    expect(calls.indexOf('syncFilesystem')).toBeLessThan(calls.indexOf('renameSync'))
    for (const source of many) expect(holds(source)).toBe(true)
  })

  it('are flushed one by one where there is no such call, and when they are few', () => {
    for (const [count, more] of [
      [20, {}],
      [2, { syncFilesystem: () => expect.unreachable() }],
    ] as const) {
      const calls: string[] = []
      const { target } = open({ ...watched(calls), ...more })
      for (const source of many.slice(0, count)) put(target, source)
      target.commit()
      expect(calls.filter((call) => call === 'fdatasyncSync')).toHaveLength(count)
    }
  })

  it('fail without a name and without a second try when the flush fails', () => {
    let flushes = 0
    const syncFilesystem = (): never => {
      flushes++
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    }
    const { target } = open({ ...fs, syncFilesystem })
    for (const source of many) put(target, source)
    const { committed, failed } = target.commit()
    expect(committed).toBe(0)
    expect(failed).toEqual(many.map(({ file }) => ({ file, code: 'DISK_FULL' })))
    expect(target.commit()).toMatchObject({ committed: 0, failed: [] })
    expect([flushes, fs.readdirSync(join(root, 'd'))]).toEqual([1, []])
  })

  it('keep the rights of the sender, less what only the owner and the group may have', () => {
    const mask = process.umask(0o077)
    try {
      const { target } = open()
      put(target, many[0] ?? sourceOf(0, 'x', 1))
      target.commit()
      expect(fs.statSync(join(root, 'd/0')).mode & 0o777).toBe(0o640)
    } finally {
      process.umask(mask)
    }
  })
})

describe('what a killed receiver finds again', () => {
  const large = sourceOf(0, 'large', 5 * LEAF_BYTES + 3)
  const knownOf = (state: TargetState, path: string) => state.files.find((file) => file.path === path)

  it('is every leaf it wrote and every file it placed', () => {
    const { target } = open()
    const small = sourceOf(1, 'small', 50)
    put(target, small)
    target.commit()
    put(target, large, 1)
    put(target, large, 4)
    const { state } = open()
    expect(knownOf(state, 'small')).toMatchObject({ isCommitted: true })
    expect(knownOf(state, 'large')).toMatchObject({ isCommitted: false, leaves: [1, 4] })
  })

  it('is not the leaf whose bytes on disk are others; the rest of the file stays', () => {
    const { target } = open()
    for (const leaf of leaves(large)) if (leaf !== 5) put(target, large, leaf)
    const [part] = hidden().filter((name) => name.endsWith('.gwpart'))
    const handle = fs.openSync(join(root, part ?? ''), 'r+')
    fs.writeSync(handle, Buffer.from('rot'), 0, 3, 2 * LEAF_BYTES + 99)
    fs.closeSync(handle)

    const second = open()
    expect(knownOf(second.state, 'large')?.leaves).toEqual([0, 1, 3, 4])
    put(second.target, large, 2)
    expect(put(second.target, large, 5).uncommitted).toBe(1)
    second.target.close('complete')
    expect(holds(large)).toBe(true)
    expect(hidden()).toEqual([])
  })

  it('is all but one leaf of a file that was complete and had no name yet', () => {
    const { target } = open()
    for (const leaf of leaves(large)) put(target, large, leaf)
    const second = open()
    expect(knownOf(second.state, 'large')?.leaves).toEqual([0, 1, 2, 3, 4])
    put(second.target, large, 5)
    second.target.close('complete')
    expect(holds(large)).toBe(true)
  })

  it('is nothing when somebody took the part file away', () => {
    const { target } = open()
    put(target, large, 0)
    for (const name of hidden()) if (name.endsWith('.gwpart')) fs.rmSync(join(root, name))
    const second = open()
    expect(knownOf(second.state, 'large')?.leaves).toEqual([])
    for (const leaf of leaves(large).slice(1)) expect(put(second.target, large, leaf).uncommitted).toBe(0)
    expect(put(second.target, large, 0).uncommitted).toBe(1)
    second.target.close('complete')
    expect(holds(large)).toBe(true)
  })

  it('is only the new leaves of a committed file that was taken away and came again', () => {
    const first = open()
    for (const leaf of leaves(large)) put(first.target, large, leaf)
    first.target.close('interrupted')
    fs.rmSync(join(root, 'large'))
    put(open().target, large, 3)
    const { state, target } = open()
    expect(knownOf(state, 'large')).toMatchObject({ isCommitted: false, leaves: [3] })
    for (const leaf of [0, 1, 2, 4, 5]) put(target, large, leaf)
    target.close('complete')
    expect(holds(large)).toBe(true)
  })

  it('is nothing of a file that somebody changed after it was committed', () => {
    const small = sourceOf(1, 'small', 50)
    const { target } = open()
    put(target, small)
    target.close('interrupted')
    fs.appendFileSync(join(root, 'small'), 'more')
    expect(knownOf(open().state, 'small')).toMatchObject({ isCommitted: false })
  })

  it('is true wherever the kill came, and the rest makes the files whole', () => {
    const small = Array.from({ length: 4 }, (_value, index) => sourceOf(index + 1, `d/${index}`, 4000))
    const sources = [sourceOf(0, 'large', LEAF_BYTES + 3), ...small]
    for (let nth = 1; ; nth++) {
      fs.rmSync(root, { recursive: true, force: true })
      const isOver = !dies(() => everything(open(diesAt(nth)).target, sources, () => true))
      const { target, state } = open()
      const isMissing = (source: Source, leaf: number): boolean => {
        const known = knownOf(state, source.path)
        return known?.isCommitted !== true && known?.leaves.includes(leaf) !== true
      }
      for (const source of sources) {
        // One that is there without a line in the journal was placed, and killed before the journal said so.
        const isThere = knownOf(state, source.path)?.isCommitted === true || fs.existsSync(join(root, source.path))
        if (isThere) expect(holds(source), `kill ${nth}`).toBe(true)
      }
      everything(target, sources, isMissing)
      for (const source of sources) expect(holds(source), `kill ${nth}`).toBe(true)
      expect(hidden(), `kill ${nth}`).toEqual([])
      if (isOver) break
    }
  })
})

/** Receives what is wanted of the sources, to the end. */
function everything(
  target: TargetDisk,
  sources: readonly Source[],
  isWanted: (source: Source, leaf: number) => boolean,
): void {
  for (const source of sources) {
    for (const leaf of leaves(source)) if (isWanted(source, leaf)) put(target, source, leaf)
    if (source.file % 3 === 0) target.commit()
  }
  target.close('complete')
}

class Killed extends Error {}

function dies(work: () => void): boolean {
  try {
    work()
    return false
  } catch (error) {
    // What the disk side makes of the kill does not matter: the process is gone.
    return error instanceof Error
  }
}

/** From the n-th change on nothing happens on this disk any more: the process was killed before it. */
function diesAt(nth: number): DiskFs {
  let calls = 0
  const guarded = new Set([
    'openSync',
    'writeSync',
    'ftruncateSync',
    'futimesSync',
    'renameSync',
    'mkdirSync',
    'unlinkSync',
  ])
  const kill = (...names: ReadonlyArray<keyof typeof fs>): Record<string, unknown> =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...words: never[]) => {
          if (calls >= nth || (guarded.has(name) && ++calls >= nth)) throw new Killed()
          return (fs[name] as (...all: never[]) => unknown)(...words)
        },
      ]),
    )
  return {
    ...fs,
    ...kill('openSync', 'closeSync', 'writeSync', 'ftruncateSync', 'futimesSync', 'fchmodSync', 'fdatasyncSync'),
    ...kill('fsyncSync', 'renameSync', 'mkdirSync', 'unlinkSync'),
  }
}
