import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fakeClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KIND_FILE, KIND_FOLDER, KIND_GONE } from '../object-store.ts'
import { loadLinuxCalls } from './ffi/linux-calls.ts'
import { statMany } from './stat-many.ts'

/** Stands still: every answer counts as one from memory, so that all but the first probe are asked for directly. */
const clock = fakeClock()
const PROBED = Array.from({ length: 64 }, (_, at) => `nothing ${at}`)
const NAMES = ['empty', 'sparse', 'old', 'folder', 'link', 'pipe-like', 'gone', '文件 é', 'n'.repeat(255)]

describe.each(['as Linux says itself', 'as Node says'])('kind, size and time of many entries, %s', (way) => {
  const linux = way === 'as Linux says itself' && process.platform === 'linux' ? loadLinuxCalls() : undefined
  let root: string
  beforeEach(async () => {
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'godwit-stat-'))
    for (const name of NAMES.filter((name) => !['folder', 'link', 'gone'].includes(name))) {
      await fs.writeFile(path.join(root, name), name === 'empty' ? '' : name)
    }
    // Larger than four bytes can tell, without taking the disk.
    await fs.truncate(path.join(root, 'sparse'), 5 * 2 ** 30 + 7)
    await fs.utimes(path.join(root, 'old'), -86_400.25, -86_400.25)
    await fs.utimes(path.join(root, 'empty'), 1_700_000_000.123456, 1_700_000_000.123456)
    await fs.mkdir(path.join(root, 'folder'))
    await fs.symlink('empty', path.join(root, 'link'))
  })
  afterEach(() => fs.rm(root, { recursive: true }))

  it('are those of lstat', async () => {
    await using handle = await fs.open(root, 'r')
    const folder = { file: handle.fd, at: root }
    const columns = await statMany({ clock, linux }, { folder, names: [...PROBED, ...NAMES], signal: undefined })
    for (const [at, name] of [...PROBED, ...NAMES].entries()) {
      const stat = await fs.lstat(path.join(root, name)).catch(() => undefined)
      const isShown = stat?.isFile() === true || stat?.isDirectory() === true
      const kind = isShown ? (stat.isFile() ? KIND_FILE : KIND_FOLDER) : KIND_GONE
      expect([name, columns.kinds[at]]).toEqual([name, kind])
      if (!isShown) continue
      expect([name, columns.sizes[at]]).toEqual([name, stat.isFile() ? stat.size : 0])
      expect([name, columns.modifiedMs[at]]).toEqual([name, stat.mtimeMs])
    }
  })
  it('fail with the code of the system', async () => {
    const file = path.join(root, 'empty')
    await using handle = await fs.open(file, 'r')
    const asked = statMany({ clock, linux }, { folder: { file: handle.fd, at: file }, names: ['x'], signal: undefined })
    await expect(asked).rejects.toMatchObject({ code: 'ENOTDIR' })
    if (linux) expect(() => linux.statEntry(handle.fd, 'x')).toThrow('ENOTDIR')
  })
})
