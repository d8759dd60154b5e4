import fs from 'node:fs'
import path from 'node:path'
import { MiB, secureRandom, systemClock } from '@godwit/base'
import { openLocalStore } from '@godwit/storage'
import { describe, expect, it } from 'vitest'
import { mayMount, mountLoopDisk } from '../../testing/loop-disks.ts'

const SIZE = 96 * MiB

describe.runIf(mayMount)('a copy within one filesystem [mounts a disk]', () => {
  it.each([
    ['xfs', 8 * MiB],
    ['ext4', SIZE + 8 * MiB],
  ] as const)('on %s is equal, is its own and takes at most %i bytes', async (type, mostBytes) => {
    await using disk = await mountLoopDisk(512, type)
    const root = path.join(disk.folder, 'files')
    await using store = await openLocalStore({ root, clock: systemClock, random: secureRandom, reserveBytes: 0 })
    await store.ensureFolder('tree/deep')
    const large = path.join(root, 'tree/deep/large')
    fs.writeFileSync(large, Buffer.alloc(SIZE, 'some content'), { mode: 0o755 })
    fs.writeFileSync(path.join(root, 'tree/small'), 'small')
    const handle = fs.openSync(large, 'r')
    fs.fsyncSync(handle)
    fs.closeSync(handle)
    const before = await store.space()
    let bytes = 0
    await store.copy('tree', 'copy', { conflict: 'fail', onProgress: (done) => (bytes = done.bytes) })
    const after = await store.space()
    expect((before?.freeBytes ?? 0) - (after?.freeBytes ?? 0)).toBeLessThan(mostBytes)
    expect(bytes).toBe(SIZE + 'small'.length)
    const copy = path.join(root, 'copy/deep/large')
    expect(fs.readFileSync(copy).equals(fs.readFileSync(large))).toBe(true)
    expect(fs.readFileSync(path.join(root, 'copy/small'), 'utf8')).toBe('small')
    expect(fs.statSync(copy).mode & 0o777).toBe(0o640)
    expect(Math.abs(fs.statSync(copy).mtimeMs - fs.statSync(large).mtimeMs)).toBeLessThan(2)
    fs.appendFileSync(large, 'changed')
    expect(fs.statSync(copy).size).toBe(SIZE)
  })
})
