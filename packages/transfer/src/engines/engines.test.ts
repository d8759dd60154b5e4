import * as fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LEAF_BYTES, MiB, seededRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DiskFs } from '../files/disk-fs.ts'
import { treeHash } from '../hashes/tree-hash.ts'
import type { FileFailure } from '../sources/source.ts'
import type { Target } from '../targets/target.ts'
import { channelPair, type MemoryChannel } from '../testing/channel-pair.ts'
import { directSource, directTarget } from '../testing/direct-disk.ts'
import { MemorySource } from '../testing/memory-source.ts'
import { MemoryDisk, MemoryTarget } from '../testing/memory-target.ts'
import { type PairedRun, runPair, valueOf } from '../testing/paired-run.ts'
import { receiveFiles } from './receive-engine.ts'
import { sendFiles } from './send-engine.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gwt-engines-'))))
afterEach(() => rm(folder, { recursive: true }))

const random = seededRandom(11)
/** One random leaf, and each leaf of a file stamped with its place. */
const pattern = random.fill(new Uint8Array(LEAF_BYTES))
let stamp = 0

function bytesOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += LEAF_BYTES) {
    const leaf = bytes.subarray(at, at + LEAF_BYTES)
    leaf.set(pattern.subarray(0, leaf.length))
    Buffer.from(leaf.buffer, leaf.byteOffset, leaf.length).write(String(stamp++))
  }
  return bytes
}

/** Writes files below `source/tree`, with a time of their own. */
async function write(files: Readonly<Record<string, Uint8Array>>, time = 1_700_000_000): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, 'source/tree', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    await utimes(path, time, time)
  }
}

/** One connection that sends the tree. */
function transfer(more: { onBody?: (channel: MemoryChannel) => void; disk?: DiskFs } = {}): Promise<PairedRun> {
  const source = directSource({ roots: [join(folder, 'source/tree')], filter: {} })
  return runPair({ source, target: directTarget(join(folder, 'in'), more.disk), ...more })
}

async function arrived(name: string): Promise<Buffer> {
  return readFile(join(folder, 'in/tree', name))
}

/** Every file is there with its bytes. */
async function expectArrived(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) expect((await arrived(name)).equals(bytes), name).toBe(true)
}

async function hidden(): Promise<string[]> {
  const names = await readdir(join(folder, 'in'), { recursive: true })
  return names.filter((name) => /\.gw(part|journal)$/.test(name))
}

describe('the last progress of a whole transfer', () => {
  it('shows every file, folder and byte at both sides, also those that were in no chunk', async () => {
    const files = { 'a.bin': bytesOf(3 * LEAF_BYTES + 5), 'b/small': bytesOf(7), 'b/empty': bytesOf(0) }
    await write(files)
    await mkdir(join(folder, 'source/tree/c/d'), { recursive: true })
    const { shown } = await transfer()
    const bytes = 3 * LEAF_BYTES + 12
    const all = { files: 7, filesDone: 7, bytes, bytesDone: bytes, secondsLeft: 0, state: 'finishing' }
    expect(shown).toMatchObject({ near: all, far: all })
  })
})

describe('a receiver', () => {
  it('that had to yield while it waited for its turn opens no files', async () => {
    const [near, far] = channelPair()
    const turn = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const target = directTarget(join(folder, 'in'))
    let opened = 0
    const open: Target['open'] = (task) => {
      opened++
      return target.open(task)
    }
    const onOpen = (): Promise<void> => {
      asked.resolve()
      return turn.promise
    }
    const nowMs = (): number => performance.now()
    const receiving = receiveFiles({ channel: far, target: { ...target, open }, nowMs }, { onOpen })
    await write({ a: bytesOf(10) })
    const source = directSource({ roots: [join(folder, 'source/tree')], filter: {} })
    const sending = sendFiles({ channel: near, source, nowMs }, { taskId: new Uint8Array(16).fill(1), hash: 'blake3' })
    await asked.promise
    const ends = Promise.allSettled([sending.result, receiving.result])
    await receiving.yieldTo()
    turn.resolve()
    const [, received] = await ends
    expect(received).toMatchObject({ reason: { code: 'PEER_LOST' } })
    expect(opened).toBe(0)
  })
})

describe('a transfer', () => {
  it('brings small, large and empty files and folders, and leaves nothing of its own', async () => {
    const files = {
      'small/a': bytesOf(10),
      'small/b': bytesOf(5000),
      'small/empty': new Uint8Array(0),
      large: bytesOf(3 * LEAF_BYTES + 7),
      exact: bytesOf(LEAF_BYTES),
      ...Object.fromEntries(Array.from({ length: 700 }, (_value, index) => [`many/${index}`, bytesOf(index % 97)])),
    }
    await write(files)
    await mkdir(join(folder, 'source/tree/hollow'))
    const run = await transfer()
    expect(valueOf(run.sent)).toMatchObject({ failures: [], keptBytes: 0 })
    expect(valueOf(run.received).files).toBe(Object.keys(files).length + 4)
    await expectArrived(files)
    expect(await readdir(join(folder, 'in/tree/hollow'))).toEqual([])
    expect(await hidden()).toEqual([])
  })

  it('goes on where a cut connection stopped it, small and large files alike', async () => {
    const files = {
      ...Object.fromEntries(Array.from({ length: 40 }, (_value, index) => [`many/${index}`, bytesOf(100_000)])),
      large: bytesOf(20 * LEAF_BYTES + 1),
    }
    await write(files)
    const total = Object.values(files).reduce((sum, { length }) => sum + length, 0)
    const first = await transfer({
      onBody(channel) {
        if (channel.bodyBytes >= total / 2) channel.cut()
      },
    })
    expect([first.sent.status, first.received.status]).toEqual(['rejected', 'rejected'])
    const second = await transfer()
    expect(valueOf(second.received).keptBytes).toBeGreaterThan(0)
    // What is sent before the receiver has said what it has, and what was under way.
    expect(first.bodyBytes + second.bodyBytes).toBeLessThan(total + 9 * MiB)
    await expectArrived(files)
    expect(await hidden()).toEqual([])
  })
})

describe('a transfer that is cancelled while it is paused', () => {
  it('notifies the receiver, which does not wait for a sender that comes back', async () => {
    const [near, far] = channelPair()
    const nowMs = (): number => performance.now()
    const receiving = receiveFiles({ channel: far, target: new MemoryTarget(new MemoryDisk()), nowMs }, {})
    const source = new MemorySource(new Map([['a', { bytes: bytesOf(40 * LEAF_BYTES), mtimeMs: 0 }]]))
    const sending = sendFiles({ channel: near, source, nowMs }, { taskId: new Uint8Array(16).fill(1), hash: 'blake3' })
    near.onBody = () => {
      near.onBody = undefined
      sending.setPaused(true)
      sending.cancel()
    }
    await expect(sending.result).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(receiving.result).rejects.toMatchObject({ code: 'CANCELLED', details: { by: 'sender' } })
  })
})

describe('a transfer between places that are no disks', () => {
  it('brings every file with its time and hash', async () => {
    const [near, far] = channelPair()
    const nowMs = (): number => performance.now()
    const bytes = { 'a/large': bytesOf(3 * LEAF_BYTES + 1), 'a/b/small': bytesOf(9), empty: bytesOf(0) }
    const files = Object.entries(bytes).map(
      ([path, content]) => [path, { bytes: content, mtimeMs: 1_600_000_000_000 }] as const,
    )
    const disk = new MemoryDisk()
    const receiving = receiveFiles({ channel: far, target: new MemoryTarget(disk), nowMs }, {})
    const request = { taskId: new Uint8Array(16).fill(1), hash: 'sha256' } as const
    const sending = sendFiles({ channel: near, source: new MemorySource(new Map(files)), nowMs }, request)
    expect((await sending.result).failures).toEqual([])
    await receiving.result
    expect([...disk.files.keys()].toSorted()).toEqual(Object.keys(bytes).toSorted())
    for (const [path, { bytes: content, mtimeMs }] of files) {
      const leaves = Array.from({ length: Math.ceil(content.length / LEAF_BYTES) }, (_value, leaf) =>
        treeHash('sha256').leaf(content.subarray(leaf * LEAF_BYTES, (leaf + 1) * LEAF_BYTES)),
      )
      const hash = treeHash('sha256').root(content.length, leaves)
      expect(disk.files.get(path)).toMatchObject({ mtimeMs, hash })
    }
  })
})

describe('a source that was changed between two runs', () => {
  it('brings only the blocks that differ, whether it grew or shrank', async () => {
    for (const [name, change] of [
      ['grown', (old: Uint8Array) => Buffer.concat([old, bytesOf(10)])],
      ['shrunk', (old: Uint8Array) => Buffer.from(old.subarray(0, 30 * LEAF_BYTES - 5))],
    ] as const) {
      await rm(folder, { recursive: true })
      const large = bytesOf(40 * LEAF_BYTES + 3)
      await write({ large })
      const first = await transfer({
        onBody(channel) {
          if (channel.bodyBytes >= 36 * LEAF_BYTES) channel.cut()
        },
      })
      expect(first.received.status).toBe('rejected')
      const changed = change(large)
      for (const leaf of [3, 17]) changed[leaf * LEAF_BYTES + 5] = (changed[leaf * LEAF_BYTES + 5] ?? 0) ^ 1
      await write({ large: changed }, 1_700_000_999)
      const second = await transfer()
      // What differs, what the first run had not brought, and what goes out before the receiver has said anything.
      expect(second.bodyBytes, name).toBeLessThan(20 * LEAF_BYTES)
      expect(valueOf(second.received).keptBytes, name).toBeGreaterThan(15 * LEAF_BYTES)
      expect(valueOf(second.sent).failures, name).toEqual([])
      await expectArrived({ large: changed })
      expect(await hidden()).toEqual([])
    }
  })
})

describe('a source that changes while it is sent', () => {
  const failures = (run: PairedRun): FileFailure[] => [...valueOf(run.sent).failures]

  it('is named as failed and not shown at the receiver; the others arrive', async () => {
    await write({ 'a-large': bytesOf(20 * LEAF_BYTES), other: bytesOf(100) })
    const path = join(folder, 'source/tree/a-large')
    const run = await transfer({ onBody: () => fs.appendFileSync(path, 'more') })
    expect(failures(run)).toEqual([{ path: 'tree/a-large', code: 'SOURCE_CHANGED' }])
    expect(valueOf(run.received).failures).toEqual([{ path: 'tree/a-large', code: 'SOURCE_CHANGED' }])
    await expect(arrived('a-large')).rejects.toThrow('ENOENT')
    expect(await arrived('other')).toHaveLength(100)
  })

  it('is left out of the list where it may not be read, so that nothing is sent for it', async () => {
    await write({ secret: bytesOf(20 * LEAF_BYTES), other: bytesOf(100) })
    const disk = {
      ...fs,
      accessSync(path: fs.PathLike, mode?: number) {
        if (String(path).endsWith('/secret')) throw Object.assign(new Error('denied'), { code: 'EACCES' })
        fs.accessSync(path, mode)
      },
    }
    const source = directSource({ roots: [join(folder, 'source/tree')], filter: {} }, disk)
    const skipped: FileFailure[] = []
    const list = source.list.bind(source)
    const noted = { ...source, read: source.read.bind(source), close: source.close.bind(source) }
    const run = await runPair({
      source: { ...noted, list: (tell) => list((one) => (skipped.push(one), tell(one))) },
      target: directTarget(join(folder, 'in')),
    })
    expect(skipped).toEqual([{ path: 'tree/secret', code: 'SOURCE_UNREADABLE' }])
    expect(valueOf(run.sent)).toMatchObject({ bytes: 100, failures: [] })
    expect(run.bodyBytes).toBeLessThan(LEAF_BYTES)
    expect(await arrived('other')).toHaveLength(100)
    await expect(arrived('secret')).rejects.toThrow('ENOENT')
  })

  it('is named when it has vanished before its turn; what was open is still read', async () => {
    const names = ['one', 'two'] as const
    await write({ one: bytesOf(20 * LEAF_BYTES), two: bytesOf(20 * LEAF_BYTES) })
    const run = await transfer({
      onBody: () => names.forEach((name) => fs.rmSync(join(folder, 'source/tree', name), { force: true })),
    })
    expect(failures(run)).toMatchObject([{ code: 'SOURCE_UNREADABLE' }])
    expect(valueOf(run.received).failures).toEqual(failures(run))
  })
})
