import * as fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_BYTES, MiB, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { directSource, directTarget, KEEPS_NOTHING } from '../testing/direct-disk.ts'
import { MemorySource, type MemorySourceFile } from '../testing/memory-source.ts'
import { MemoryDisk, MemoryTarget } from '../testing/memory-target.ts'
import { type PairedRun, type PairedSides, runPair, valueOf } from '../testing/paired-run.ts'

const TIME = 1_700_000_000_000
/** Sent at most before the receiver has answered. */
const UNASKED_BYTES = LEAF_BYTES
const pattern = seededRandom(4).fill(new Uint8Array(LEAF_BYTES + 3))

function bytesOf(length: number, stamp = 0): Uint8Array {
  const bytes = Buffer.alloc(length, pattern)
  if (length > 4) bytes.writeUInt32BE(stamp)
  return bytes
}

interface Place {
  readonly files: Map<string, MemorySourceFile>
  readonly disk: MemoryDisk
}

function place(files: Readonly<Record<string, Uint8Array>>): Place {
  const entries = Object.entries(files).map(([path, bytes]) => [path, { bytes, mtimeMs: TIME }] as const)
  return { files: new Map(entries), disk: new MemoryDisk() }
}

/** Sends everything once, as a task of its own. */
function run({ files, disk }: Place, task: number, more: Partial<PairedSides> = {}): Promise<PairedRun> {
  const request = { taskId: new Uint8Array(16).fill(task), ...more.request }
  return runPair({ source: new MemorySource(files), target: new MemoryTarget(disk), ...more, request })
}

/** Puts something else at the receiver. */
function alter({ disk }: Place, path: string, change: { bytes?: Uint8Array; mtimeMs?: number }): void {
  const file = disk.files.get(path)
  if (file === undefined) throw new Error(`${path} is not there`)
  disk.files.set(path, { ...file, ...change })
}

const MIXED = {
  'folder/large': bytesOf(4 * LEAF_BYTES + 9),
  ...Object.fromEntries(Array.from({ length: 300 }, (_value, index) => [`folder/small${index}`, bytesOf(3000, index)])),
  'folder/empty': bytesOf(0),
}

describe('a folder that is at the receiver already', () => {
  it('costs nothing but the bytes that go out before the receiver answers, when nothing has changed', async () => {
    const there = place(MIXED)
    await run(there, 1)
    const again = await run(there, 2)
    expect(again.bodyBytes).toBeLessThanOrEqual(UNASKED_BYTES)
    const result = valueOf(again.sent)
    expect(result).toMatchObject({ failures: [], verdicts: { same: 302, newer: 0 } })
    expect(result.keptBytes).toBe(result.bytes)
    expect(again.shown.near).toMatchObject({ filesDone: 303, bytesDone: result.bytes })
  })

  it('costs only the files that have changed, although small ones lie in one chunk', async () => {
    const there = place(MIXED)
    await run(there, 1)
    there.files.set('folder/small7', { bytes: bytesOf(2000, 1007), mtimeMs: TIME + 1000 })
    there.files.set('folder/small200', { bytes: bytesOf(3000, 1200), mtimeMs: TIME + 1000 })
    const again = await run(there, 2)
    expect(again.bodyBytes).toBeLessThanOrEqual(5000 + UNASKED_BYTES)
    expect(valueOf(again.received)).toMatchObject({ failures: [], verdicts: { same: 300 } })
    expect(Buffer.compare(there.disk.files.get('folder/small7')?.bytes ?? bytesOf(0), bytesOf(2000, 1007))).toBe(0)
    expect(there.disk.files.get('folder/small8')?.bytes).toHaveLength(3000)
  })

  it('keeps a file that is newer there, and both sides report it', async () => {
    const there = place({ a: bytesOf(10), b: bytesOf(10) })
    await run(there, 1)
    alter(there, 'a', { bytes: bytesOf(11), mtimeMs: TIME + 5000 })
    const { sent, received, verdicts } = await run(there, 2)
    const failures = [{ path: 'a', code: 'TARGET_NEWER' }]
    expect([valueOf(sent).failures, valueOf(received).failures]).toEqual([failures, failures])
    expect(verdicts.get('a')).toBe('newer')
    expect(there.disk.files.get('a')?.bytes).toHaveLength(11)
    // A second run has nothing to go on with.
    expect(there.disk.tasks.size).toBe(0)
  })

  it.each([
    ['update', 11, 'newer', 'replaced'],
    ['keep-existing', 11, 'existing', 'existing'],
    ['overwrite', 10, 'replaced', 'replaced'],
  ] as const)('under %s has no failure', async (existing, length, newer, older) => {
    const there = place({ newer: bytesOf(10), older: bytesOf(10) })
    await run(there, 1)
    alter(there, 'newer', { bytes: bytesOf(11), mtimeMs: TIME + 5000 })
    alter(there, 'older', { bytes: bytesOf(11), mtimeMs: TIME - 5000 })
    const dry = await run(there, 2, { request: { existing, isDryRun: true } })
    expect(Object.fromEntries(dry.verdicts)).toEqual({ newer, older })
    expect(valueOf((await run(there, 2, { request: { existing } })).sent).failures).toEqual([])
    expect(there.disk.files.get('newer')?.bytes).toHaveLength(length)
    expect(there.disk.files.get('older')?.bytes).toHaveLength(existing === 'keep-existing' ? 11 : 10)
  })

  it('is what the receiver says for each file, whatever the sender asks for', async () => {
    const there = place({ kept: bytesOf(10), taken: bytesOf(10), same: bytesOf(10) })
    await run(there, 1)
    for (const path of ['kept', 'taken']) alter(there, path, { bytes: bytesOf(11), mtimeMs: TIME + 5000 })
    const receiving = { existingOf: (path: string) => (path === 'taken' ? 'overwrite' : 'keep-existing') } as const
    const { sent, received, verdicts } = await run(there, 2, { receiving, request: { existing: 'keep-newer' } })
    expect([valueOf(sent).failures, valueOf(received).failures]).toEqual([[], []])
    expect(Object.fromEntries(verdicts)).toEqual({ kept: 'existing', same: 'same' })
    expect(there.disk.files.get('kept')?.bytes).toHaveLength(11)
    expect(there.disk.files.get('taken')?.bytes).toHaveLength(10)
  })

  it('gets files replaced whose bytes came before the receiver had answered', async () => {
    const there = place({ a: bytesOf(3 * LEAF_BYTES), b: bytesOf(10) })
    await run(there, 1)
    alter(there, 'b', { bytes: bytesOf(12), mtimeMs: TIME + 5000 })
    there.files.set('a', { bytes: bytesOf(3 * LEAF_BYTES, 7), mtimeMs: TIME + 1 })
    const { received } = await run(there, 2)
    expect(valueOf(received).failures).toEqual([{ path: 'b', code: 'TARGET_NEWER' }])
    expect(Buffer.compare(there.disk.files.get('a')?.bytes ?? bytesOf(0), bytesOf(3 * LEAF_BYTES, 7))).toBe(0)
    expect(there.disk.files.get('b')?.bytes).toHaveLength(12)
  })
})

describe('a comparison by hash', () => {
  const files = {
    'large-same': bytesOf(3 * LEAF_BYTES),
    'large-other': bytesOf(3 * LEAF_BYTES + 1),
    same: bytesOf(500),
    other: bytesOf(600),
  }

  it('sends what differs although size and time are the same, and only that', async () => {
    const there = place(files)
    await run(there, 1)
    const rotten = Uint8Array.from(files['large-other'])
    rotten[2 * LEAF_BYTES] = (rotten[2 * LEAF_BYTES] ?? 0) ^ 1
    alter(there, 'large-other', { bytes: rotten })
    alter(there, 'other', { bytes: bytesOf(600, 9) })
    const byTime = await run(there, 2)
    expect(valueOf(byTime.sent).verdicts.same).toBe(4)
    const byHash = await run(there, 3, { request: { isChecksum: true } })
    expect(valueOf(byHash.sent)).toMatchObject({ failures: [], verdicts: { same: 2 } })
    expect(byHash.bodyBytes).toBe(3 * LEAF_BYTES + 1 + 600)
    for (const [path, bytes] of Object.entries(files))
      expect(Buffer.compare(there.disk.files.get(path)?.bytes ?? bytesOf(0), bytes), path).toBe(0)
  })

  it('gives a file that is the same the time of the sender, and sends nothing', async () => {
    const there = place(files)
    await run(there, 1)
    for (const path of Object.keys(files)) alter(there, path, { mtimeMs: TIME + 9000 })
    const { sent, bodyBytes } = await run(there, 2, { request: { isChecksum: true } })
    expect([bodyBytes, valueOf(sent).failures]).toEqual([0, []])
    expect([...there.disk.files.values()].map(({ mtimeMs }) => mtimeMs)).toEqual([TIME, TIME, TIME, TIME])
  })

  it('keeps a newer file with other bytes, as without it', async () => {
    const there = place(files)
    await run(there, 1)
    alter(there, 'large-other', { bytes: bytesOf(3 * LEAF_BYTES + 1, 5), mtimeMs: TIME + 9000 })
    const { sent, bodyBytes } = await run(there, 2, { request: { isChecksum: true } })
    expect(valueOf(sent).failures).toEqual([{ path: 'large-other', code: 'TARGET_NEWER' }])
    expect(bodyBytes).toBe(0)
  })
})

describe('a dry run', () => {
  it('writes nothing at all, not even the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gwt-dry-'))
    try {
      const source = new MemorySource(place(MIXED).files)
      const target = directTarget(join(folder, 'in'))
      const { sent, received, bodyBytes } = await runPair({ source, target, request: { isDryRun: true } })
      expect(valueOf(sent).verdicts).toMatchObject({ new: 302 })
      expect(valueOf(received).failures).toEqual([])
      expect([bodyBytes, fs.readdirSync(folder)]).toEqual([0, []])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a receiver without space', () => {
  it('refuses what does not fit before it has moved more than the first bytes, and says how much is missing', async () => {
    const there = place({ a: bytesOf(40 * LEAF_BYTES) })
    there.disk.freeBytes = 10 * MiB
    const { sent, received, bodyBytes } = await run(there, 1)
    expect(received).toMatchObject({ reason: { code: 'DISK_FULL', details: { needed: '41.9 MB', free: '10.5 MB' } } })
    expect(sent).toMatchObject({ reason: { code: 'PEER_REFUSED', details: { code: 'DISK_FULL' } } })
    expect(String(sent.status === 'rejected' && sent.reason)).toContain('needed: 41.9 MB, free: 10.5 MB')
    expect(bodyBytes).toBeLessThanOrEqual(UNASKED_BYTES)
  })

  it('says so also on a line on which the answer is on its way for long', async () => {
    const there = place({ a: bytesOf(40 * LEAF_BYTES) })
    there.disk.freeBytes = 10 * MiB
    const { sent } = await run(there, 1, { answerMs: 500 })
    expect(sent).toMatchObject({ reason: { code: 'PEER_REFUSED', details: { code: 'DISK_FULL' } } })
  })

  it('takes what fits beside what is there already', async () => {
    const there = place({ a: bytesOf(4 * LEAF_BYTES), b: bytesOf(4 * LEAF_BYTES, 1) })
    await run(there, 1)
    there.disk.freeBytes = 5 * MiB
    there.files.set('b', { bytes: bytesOf(4 * LEAF_BYTES, 2), mtimeMs: TIME + 1 })
    expect(valueOf((await run(there, 2)).sent).failures).toEqual([])
  })

  it('stops at the first file for which the disk has no place, and goes on later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gwt-full-'))
    try {
      const there = place({
        a: bytesOf(3 * LEAF_BYTES),
        b: bytesOf(30 * LEAF_BYTES, 1),
        c: bytesOf(30 * LEAF_BYTES, 2),
      })
      let left = 10 * MiB
      const writeSync = ((handle: number, bytes: Uint8Array, ...rest: [number, number, number]) => {
        left -= rest[1]
        if (left < 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        return fs.writeSync(handle, bytes, ...rest)
      }) as typeof fs.writeSync
      const target = directTarget(join(folder, 'in'), { ...fs, writeSync }, { ...KEEPS_NOTHING, holes: true })
      const { sent, received } = await runPair({ source: new MemorySource(there.files), target })
      expect(received).toMatchObject({ reason: { code: 'DISK_FULL' } })
      expect(sent).toMatchObject({ reason: { code: 'PEER_REFUSED', details: { code: 'DISK_FULL' } } })
      const again = await runPair({ source: new MemorySource(there.files), target: directTarget(join(folder, 'in')) })
      expect(valueOf(again.received)).toMatchObject({ failures: [] })
      expect(valueOf(again.received).keptBytes).toBeGreaterThan(2 * MiB)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('what a disk keeps of files', () => {
  it('times of files, folders and links; permissions, links and holes only when asked to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gwt-kept-'))
    try {
      const tree = join(folder, 'tree')
      fs.mkdirSync(join(tree, 'inner'), { recursive: true })
      fs.writeFileSync(join(tree, 'inner/a'), 'hello')
      fs.chmodSync(join(tree, 'inner/a'), 0o604)
      fs.writeFileSync(join(tree, 'holes'), Buffer.concat([Buffer.alloc(3 * MiB), Buffer.from('end')]))
      fs.symlinkSync('inner/a', join(tree, 'link'))
      fs.symlinkSync('/etc/passwd', join(tree, 'outside'))
      fs.chmodSync(join(tree, 'inner'), 0o705)
      const time = 1_600_000_000
      fs.lutimesSync(join(tree, 'link'), time, time)
      for (const path of ['inner/a', 'inner', '']) fs.utimesSync(join(tree, path), time, time)
      const source = () => directSource({ roots: [tree], filter: {}, links: true })

      const plain = join(folder, 'plain')
      const first = await runPair({ source: source(), target: directTarget(plain) })
      const refused = ['tree/link', 'tree/outside'].map((path) => ({ path, code: 'LINK_REFUSED' }))
      expect(valueOf(first.sent).failures.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(refused)
      expect(fs.statSync(join(plain, 'tree/inner/a')).mode & 0o777).toBe(0o600)
      expect(fs.statSync(join(plain, 'tree/inner')).mtimeMs).toBe(time * 1000)
      expect(fs.statSync(join(plain, 'tree')).mtimeMs).toBe(time * 1000)

      const all = join(folder, 'all')
      const keeps = { permissions: true, links: true, holes: true }
      const second = await runPair({ source: source(), target: directTarget(all, fs, keeps) })
      expect(valueOf(second.sent).failures).toEqual([{ path: 'tree/outside', code: 'LINK_REFUSED' }])
      expect(fs.statSync(join(all, 'tree/inner/a')).mode & 0o777).toBe(0o604)
      expect(fs.statSync(join(all, 'tree/inner')).mode & 0o777).toBe(0o705)
      expect(fs.readlinkSync(join(all, 'tree/link'))).toBe('inner/a')
      expect(fs.lstatSync(join(all, 'tree/link')).mtimeMs).toBe(time * 1000)
      const holes = fs.statSync(join(all, 'tree/holes'))
      expect(holes.size).toBe(3 * MiB + 3)
      expect(holes.blocks * 512).toBeLessThan(MiB)
      expect(fs.readFileSync(join(all, 'tree/holes')).equals(fs.readFileSync(join(tree, 'holes')))).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
