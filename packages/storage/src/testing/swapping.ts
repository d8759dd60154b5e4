import fs from 'node:fs/promises'
import path from 'node:path'
import type { ObjectStore } from '../object-store.ts'
import { StorageError } from '../errors.ts'
import type { TemporaryStore } from './temporary-store.ts'
import { inChunks, someBytes } from './sources.ts'

/**
 * Somebody exchanges a folder and a link to the outside again and again while the store works in it.
 * @returns how often an operation met the folder and succeeded, and what arrived outside
 */
export async function workWhileSwapped(
  { store, root, outside }: TemporaryStore,
  rounds: number,
): Promise<{ readonly succeeded: number; readonly escaped: string[] }> {
  const folder = path.join(root, 'swapped')
  await fs.mkdir(folder)
  await fs.writeFile(path.join(outside, 'secret'), 'secret')
  await fs.writeFile(path.join(root, 'file'), 'file')
  let stopped = false
  const swapping = (async () => {
    while (!stopped) {
      await fs.rename(folder, path.join(root, 'aside'))
      await fs.symlink(outside, folder)
      await fs.unlink(folder)
      await fs.rename(path.join(root, 'aside'), folder)
    }
  })()
  let succeeded = 0
  for (let round = 0; round < rounds; round++) {
    if (await survives(() => workOnce(store, round))) succeeded++
  }
  stopped = true
  await swapping
  return { succeeded, escaped: (await fs.readdir(outside)).filter((name) => name !== 'secret') }
}

async function workOnce(store: ObjectStore, round: number): Promise<void> {
  const key = `swapped/file-${round % 50}`
  switch (round % 6) {
    case 0: {
      const upload = await store.createUpload({ key, size: 100 })
      await store.writePart(upload, { index: 0, offset: 0, length: 100 }, inChunks(someBytes(100)))
      await store.completeUpload(upload, { size: 100, conflict: 'replace' })
      return
    }
    case 1:
      await store.createFolder(`swapped/folder-${round}`)
      return
    case 2:
      await store.copy('file', `swapped/copy-${round}`, { conflict: 'fail' })
      return
    case 3:
      await store.writeFiles([{ key, content: someBytes(10) }], { conflict: 'replace' })
      return
    case 4:
      if ((await store.stat('swapped/secret')) !== undefined) throw new Error('saw the secret')
      await store.remove('swapped/secret')
      return
    default: {
      await using reader = await store.openRead('swapped/secret')
      throw new Error(`read the secret: ${reader.entry.size} bytes`)
    }
  }
}

/** Refusals are expected; anything other than a StorageError is a fault. */
async function survives(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof StorageError) return false
    throw error
  }
}
