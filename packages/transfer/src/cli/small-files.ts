import * as fs from 'node:fs'
import { join } from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { loadSyncFilesystem } from '../files/sync-filesystem.ts'

export const SMALL_FILE_BYTES = 4096
const FILES_A_FOLDER = 1000
/** Files made durable together, as many as a receiver does. */
const FILES_A_FLUSH = 2048
const NEW = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW

function pathOf(root: string, index: number): string {
  return join(root, `folder${Math.floor(index / FILES_A_FOLDER)}`, `file${index}`)
}

function makeFolders(root: string, count: number): void {
  for (let index = 0; index < count; index += FILES_A_FOLDER) {
    fs.mkdirSync(join(pathOf(root, index), '..'), { recursive: true })
  }
}

export function writeSmallFiles(root: string, count: number): void {
  const bytes = secureRandom.fill(new Uint8Array(SMALL_FILE_BYTES))
  makeFolders(root, count)
  for (let index = 0; index < count; index++) {
    new DataView(bytes.buffer).setUint32(0, index)
    fs.writeFileSync(pathOf(root, index), bytes)
  }
}

/**
 * What the disk achieves for a receiver that does nothing else: each file under another name, with a time of its own, durable
 * before it gets its name.
 * @returns seconds
 */
export async function writeDurably(root: string, count: number): Promise<number> {
  const flush = await loadSyncFilesystem()
  const bytes = secureRandom.fill(new Uint8Array(SMALL_FILE_BYTES))
  makeFolders(root, count)
  const folder = fs.openSync(root, 'r')
  const startedAt = systemClock.monotonic()
  for (let first = 0; first < count; first += FILES_A_FLUSH) {
    const end = Math.min(count, first + FILES_A_FLUSH)
    for (let index = first; index < end; index++) {
      const file = fs.openSync(`${pathOf(root, index)}.part`, NEW, 0o640)
      fs.writeSync(file, bytes, 0, bytes.length, 0)
      fs.futimesSync(file, 1_700_000_000, 1_700_000_000)
      if (flush === undefined) fs.fdatasyncSync(file)
      fs.closeSync(file)
    }
    flush?.(folder)
    for (let index = first; index < end; index++) fs.renameSync(`${pathOf(root, index)}.part`, pathOf(root, index))
  }
  flush?.(folder)
  fs.closeSync(folder)
  return (systemClock.monotonic() - startedAt) / 1000
}
