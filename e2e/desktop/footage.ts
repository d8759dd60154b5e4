import { createCipheriv, createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MiB, sha256 } from '../portal/large-files.ts'

const LARGE = { count: 3, share: 0.2 }
const MEDIUM = { count: 30, share: 0.01 }
const SMALL_BYTES = 2_000_000
const SMALL_PER_FOLDER = 60
const ZEROS = Buffer.alloc(MiB)

/** What a day of filming leaves behind: a few large files, some of middle size and very many small ones, with this many bytes together. */
export async function makeFootage(folder: string, bytes: number): Promise<void> {
  for (const [name, size] of footage(bytes)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await pipeline(noise(name, size), createWriteStream(path))
  }
}

function* footage(bytes: number): Generator<readonly [string, number]> {
  let left = bytes
  const file = (name: string, size: number): readonly [string, number] => {
    left -= size
    return [name, size]
  }
  yield file('notes/empty.txt', 0)
  yield file('notes/拍摄 计划.txt', 1)
  for (let at = 0; at < LARGE.count; at++) yield file(`reels/reel ${at}.mxf`, Math.floor(bytes * LARGE.share))
  for (let at = 0; at < MEDIUM.count; at++) yield file(`sound/take-${at}.wav`, Math.floor(bytes * MEDIUM.share))
  for (let at = 0; left > 0; at++) {
    const day = Math.floor(at / SMALL_PER_FOLDER)
    yield file(`stills/day ${day}/still-${at}.jpg`, Math.min(left, 1 + ((at * 104_729) % SMALL_BYTES)))
  }
}

/** Other bytes for each name. */
function* noise(name: string, bytes: number): Generator<Buffer> {
  const seed = createHash('sha256').update(name).digest()
  const cipher = createCipheriv('aes-128-ctr', seed.subarray(0, 16), seed.subarray(16))
  for (let left = bytes; left > 0; left -= MiB) yield cipher.update(ZEROS.subarray(0, Math.min(left, MiB)))
}

/** Hashes of all files below a folder, by their paths. */
export async function hashesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    hashes.set(relative(folder, path), await sha256(path))
  }
  return hashes
}
