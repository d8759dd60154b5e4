import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inChunks, someBytes } from '../testing/sources.ts'
import { workWhileSwapped } from '../testing/swapping.ts'
import { temporaryStore, type TemporaryStore } from '../testing/temporary-store.ts'

/** Links that somebody with a shell has put into the storage. */
describe('links in the storage', () => {
  let temporary: TemporaryStore
  beforeEach(async () => {
    temporary = await temporaryStore()
    await fs.mkdir(path.join(temporary.outside, 'folder'))
    await fs.writeFile(path.join(temporary.outside, 'secret'), 'secret')
    await fs.symlink(path.join(temporary.outside, 'secret'), path.join(temporary.root, 'to-file'))
    await fs.symlink(path.join(temporary.outside, 'folder'), path.join(temporary.root, 'to-folder'))
    await fs.link(path.join(temporary.outside, 'secret'), path.join(temporary.root, 'hard'))
  })
  afterEach(() => temporary.close())

  it('are not listed and do not exist', async () => {
    const { store } = temporary
    const pages = await Array.fromAsync(store.list(''))
    expect(pages.flatMap((page) => page.names)).toEqual(['hard'])
    expect(pages.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(2)
    expect(await store.stat('to-file')).toBeUndefined()
    expect(await store.stat('to-folder')).toBeUndefined()
    expect(await store.stat('to-folder/secret')).toBeUndefined()
  })

  it('are never read, not even through a hard link', async () => {
    for (const key of ['to-file', 'to-folder/x', 'hard']) {
      await expect(temporary.store.openRead(key)).rejects.toThrow(/permission|not-a-folder/)
      await expect(temporary.store.copy(key, 'copy', { conflict: 'fail' })).rejects.toThrow('storage')
    }
    // Whoever lists files to read them is told before.
    expect(await temporary.store.stat('hard')).toMatchObject({ kind: 'file', isUnreadable: true })
  })

  it('are never a way to the outside for anything that writes', async () => {
    const { store, outside } = temporary
    const upload = await store.createUpload({ key: 'to-folder/x', size: 1 }).catch((error: unknown) => error)
    expect(upload).toMatchObject({ reason: expect.stringMatching('permission|not-a-folder') as string })
    const attempts = [
      () => store.createFolder('to-folder/x'),
      () => store.ensureFolder('to-folder/x/y'),
      () => store.move('hard', 'to-folder/x', { conflict: 'fail' }),
      () => store.copy('hard', 'to-folder/x', { conflict: 'fail' }),
      () => store.remove('to-folder/x'),
      () => store.remove('to-file'),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('storage')
    expect(await fs.readdir(path.join(outside, 'folder'))).toEqual([])
  })

  it('are replaced, not written through, when a file takes their name', async () => {
    const { store, outside, root } = temporary
    for (const key of ['to-file', 'hard']) {
      const upload = await store.createUpload({ key, size: 5 })
      await store.writePart(upload, { index: 0, offset: 0, length: 5 }, inChunks(someBytes(5)))
      await expect(store.completeUpload(upload, { size: 5, conflict: 'fail' })).rejects.toMatchObject({
        reason: 'exists',
      })
      await store.completeUpload(upload, { size: 5, conflict: 'replace' })
      expect((await fs.lstat(path.join(root, key))).isFile()).toBe(true)
    }
    expect(await fs.readFile(path.join(outside, 'secret'), 'utf8')).toBe('secret')
  })

  it('go with the tree they are in, and what they point to stays', async () => {
    const { store, root, outside } = temporary
    await store.createFolder('tree')
    await fs.symlink(outside, path.join(root, 'tree', 'link'))
    await fs.link(path.join(outside, 'secret'), path.join(root, 'tree', 'hard'))
    await store.remove('tree')
    expect(await fs.readFile(path.join(outside, 'secret'), 'utf8')).toBe('secret')
    expect((await fs.readdir(outside)).toSorted()).toEqual(['folder', 'secret'])
  })

  it('let nothing out when a folder turns into one in the middle of an operation', async () => {
    expect((await workWhileSwapped(temporary, 300)).escaped).toEqual(['folder'])
  })

  it('and pipes neither: opening one does not wait for its other end', async () => {
    const { execFile } = await import('node:child_process')
    const { promisify } = await import('node:util')
    await promisify(execFile)('mkfifo', [path.join(temporary.root, 'pipe')])
    expect(await temporary.store.stat('pipe')).toBeUndefined()
    await expect(temporary.store.openRead('pipe')).rejects.toMatchObject({ reason: 'not-found' })
  })
})

describe('what the store makes', () => {
  it('is closed to others whatever the umask says (row A10)', async () => {
    const before = process.umask(0)
    const temporary = await temporaryStore()
    try {
      const { store, root } = temporary
      await store.ensureFolder('a/b')
      await store.writeFiles([{ key: 'a/small', content: someBytes(1) }], { conflict: 'fail' })
      await store.copy('a', 'c', { conflict: 'fail' })
      const upload = await store.createUpload({ key: 'a/file', size: 0 })
      await store.completeUpload(upload, { size: 0, conflict: 'fail' })
      const modes = await Promise.all(
        (await fs.readdir(root, { recursive: true, withFileTypes: true })).map(async (entry) => {
          const { mode } = await fs.stat(path.join(entry.parentPath, entry.name))
          return `${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`
        }),
      )
      expect([...new Set(modes)].toSorted()).toEqual(['file 640', 'folder 750'])
      expect((await fs.stat(root)).mode & 0o777).toBe(0o750)
    } finally {
      process.umask(before)
      await temporary.close()
    }
  })

  it('does not contain names that are not UTF-8, and says that it left them out', async () => {
    const temporary = await temporaryStore()
    await fs.writeFile(Buffer.concat([Buffer.from(`${temporary.root}/bad-`), Buffer.of(0xff, 0xfe)]), 'x')
    await fs.writeFile(`${temporary.root}/good-\u{FFFD}`, 'x')
    await fs.writeFile(`${temporary.root}/back\\slash`, 'x')
    const pages = await Array.fromAsync(temporary.store.list(''))
    expect(pages).toMatchObject([{ names: ['good-\u{FFFD}'], leftOut: 2 }])
    await temporary.close()
  })
})
