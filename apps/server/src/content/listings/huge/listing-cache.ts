import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { randomHex, type Random } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import type { Contents } from '../folder-index.ts'
import { bytesOf, Rows } from '../packed-names.ts'

interface Folder {
  readonly store: ObjectStore
  readonly key: string
}

/**
 * Names of big folders in their order, one file a folder, so that after a start a million names are one read of 30 MB and
 * not a million entries read and sorted. A file holds as long as the folder's time of change is the one it was written for;
 * whatever is wrong with it, the folder is read instead.
 */
export interface ListingCache {
  load(folder: Folder, modifiedMs: number): Promise<Contents | undefined>
  save(folder: Folder, modifiedMs: number, contents: Contents): Promise<void>
}

export interface ListingCacheDeps {
  /** Where the files are. May be emptied at any time. */
  readonly cacheFolder: string
  readonly random: Random
  /** Tells storages apart, the same after every start. */
  readonly nameOf: (store: ObjectStore) => string
}

/** Files kept; the oldest go first. */
const FILES_MAX = 64
/** Layout: magic, time of change, entries, folders, bytes of all names, CRC-32 of the rest; then the ends, then the names. */
const MAGIC = 'GWNAMES1'
const HEADER = { modifiedMs: 8, count: 16, folderCount: 20, byteCount: 24, checksum: 28, length: 32 }

export function createListingCache({ cacheFolder, random, nameOf }: ListingCacheDeps): ListingCache {
  const fileOf = ({ store, key }: Folder): string =>
    path.join(
      cacheFolder,
      `${createHash('sha256')
        .update(`${nameOf(store)}\0${key}`)
        .digest('hex')}.names`,
    )
  return {
    async load(folder, modifiedMs) {
      try {
        return decode(await fs.readFile(fileOf(folder)), modifiedMs)
      } catch (thrown) {
        if (thrown instanceof Error && 'code' in thrown) return undefined // Not there, or not readable: the folder is.
        throw thrown
      }
    },
    async save(folder, modifiedMs, contents) {
      await fs.mkdir(cacheFolder, { recursive: true, mode: 0o700 })
      const target = fileOf(folder)
      const draft = `${target}.${randomHex(random, 8)}`
      try {
        await fs.writeFile(draft, encode(contents, modifiedMs), { mode: 0o600 })
        await fs.rename(draft, target)
      } catch (thrown) {
        await fs.rm(draft, { force: true })
        throw thrown
      }
      await makeRoom(cacheFolder)
    },
  }
}

function encode({ names, folderCount }: Contents, modifiedMs: number): Uint8Array[] {
  const header = Buffer.alloc(HEADER.length)
  header.write(MAGIC)
  header.writeDoubleLE(modifiedMs, HEADER.modifiedMs)
  header.writeUInt32LE(names.count, HEADER.count)
  header.writeUInt32LE(folderCount, HEADER.folderCount)
  header.writeUInt32LE(names.bytes.length, HEADER.byteCount)
  const ends = bytesOf(names.ends)
  header.writeUInt32LE(checksumOf(header, ends, names.bytes), HEADER.checksum)
  return [header, ends, names.bytes]
}

function decode(file: Buffer, modifiedMs: number): Contents | undefined {
  if (file.length < HEADER.length || file.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  if (file.readDoubleLE(HEADER.modifiedMs) !== modifiedMs) return undefined
  const count = file.readUInt32LE(HEADER.count)
  const namesAt = HEADER.length + 4 * count
  if (file.length !== namesAt + file.readUInt32LE(HEADER.byteCount)) return undefined
  // Copied, because numbers of four bytes must begin at a multiple of four.
  const ends = new Uint32Array(count)
  const endBytes = file.subarray(HEADER.length, namesAt)
  bytesOf(ends).set(endBytes)
  const bytes = file.subarray(namesAt)
  if (checksumOf(file.subarray(0, HEADER.length), endBytes, bytes) !== file.readUInt32LE(HEADER.checksum))
    return undefined
  return { names: new Rows(bytes, ends), folderCount: file.readUInt32LE(HEADER.folderCount) }
}

function checksumOf(header: Buffer, ends: Buffer, bytes: Buffer): number {
  return crc32(bytes, crc32(ends, crc32(header.subarray(0, HEADER.checksum))))
}

async function makeRoom(cacheFolder: string): Promise<void> {
  const names = await fs.readdir(cacheFolder)
  if (names.length <= FILES_MAX) return
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(cacheFolder, name)
      return { file, modifiedMs: (await fs.stat(file)).mtimeMs }
    }),
  )
  const oldest = files.toSorted((a, b) => a.modifiedMs - b.modifiedMs).slice(0, names.length - FILES_MAX)
  await Promise.all(oldest.map(({ file }) => fs.rm(file, { force: true })))
}
