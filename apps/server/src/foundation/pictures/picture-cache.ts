import fs from 'node:fs/promises'
import path from 'node:path'
import { randomHex, type Clock, type Random } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'

export interface PictureCacheDeps {
  /** May be emptied at any time. */
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Bytes that all pictures may have together; 0: none is kept. */
  readonly limitBytes: () => Promise<number>
}

/** Pictures that were made, one file each. The one that was not asked for the longest goes first. */
export interface PictureCache {
  /** @returns undefined for what is not there; an empty picture for a file that has none */
  get(key: string): Promise<Uint8Array | undefined>
  /** Never fails: what cannot be kept is made again. */
  put(key: string, picture: Uint8Array): Promise<void>
  /** Removes what was not asked for in a long time, as pictures of files that are gone are. */
  sweep(): Promise<void>
}

const HOUR_MS = 3_600_000
/** A hit is written down at most once in so long. */
const TOUCH_MS = HOUR_MS
const UNUSED_MS = 30 * 24 * HOUR_MS
/** A file that could not be decoded may have met a crowded machine: it is tried again. */
const FAULT_MS = 24 * HOUR_MS
/** After a trim, in hundredths of the limit: not every new picture looks through all of them. */
const TRIMMED_PERCENT = 90
/** What a file takes at least, its place in the folder included. */
const LEAST_BYTES = 4_096

interface Kept {
  readonly file: string
  readonly bytes: number
  readonly usedMs: number
}

export function createPictureCache({ folder, clock, random, log, limitBytes }: PictureCacheDeps): PictureCache {
  /** Bytes on the disk; unknown until they were counted once. */
  let used: number | undefined
  let trimming: Promise<void> | undefined
  const fileOf = (key: string): string => path.join(folder, key.slice(0, 2), `${key}.webp`)

  async function trim(limit: number): Promise<void> {
    const kept = (await listKept(folder)).toSorted((one, other) => other.usedMs - one.usedMs)
    let left = 0
    for (const { file, bytes } of kept) {
      if (left + bytes > (limit * TRIMMED_PERCENT) / 100) await fs.rm(file, { force: true })
      else left += bytes
    }
    used = left
  }

  async function makeRoom(bytes: number, limit: number): Promise<void> {
    // The new one is among those that are counted.
    if (used === undefined) used = (await listKept(folder)).reduce((sum, one) => sum + one.bytes, 0)
    else used += Math.max(bytes, LEAST_BYTES)
    if (used <= limit) return
    trimming ??= trim(limit).finally(() => (trimming = undefined))
    await trimming
  }

  return {
    async get(key) {
      const file = fileOf(key)
      try {
        const picture = await fs.readFile(file)
        const { mtimeMs } = await fs.stat(file)
        const now = clock.now()
        if (picture.length === 0) return now - mtimeMs < FAULT_MS ? picture : undefined
        if (now - mtimeMs > TOUCH_MS) await fs.utimes(file, now / 1000, now / 1000)
        return picture
      } catch (thrown) {
        if (isSystemError(thrown)) return undefined // Not there, or not readable: it is made again.
        throw thrown
      }
    },
    async put(key, picture) {
      try {
        const limit = await limitBytes()
        if (limit === 0) return
        await replaceFile(fileOf(key), { content: picture, suffix: randomHex(random, 8), timeMs: clock.now() })
        await makeRoom(picture.length, limit)
      } catch (thrown) {
        log.warn({ err: thrown }, 'a picture could not be kept')
      }
    },
    async sweep() {
      const limit = await limitBytes()
      for (const { file, usedMs } of await listKept(folder)) {
        if (clock.now() - usedMs > UNUSED_MS) await fs.rm(file, { force: true })
      }
      await trim(limit)
    },
  }
}

interface Written {
  readonly content: Uint8Array
  /** Of the draft's name. */
  readonly suffix: string
  readonly timeMs: number
}

async function replaceFile(file: string, { content, suffix, timeMs }: Written): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${suffix}`
  try {
    await fs.writeFile(draft, content, { mode: 0o600 })
    await fs.utimes(draft, timeMs / 1000, timeMs / 1000)
    await fs.rename(draft, file)
  } finally {
    await fs.rm(draft, { force: true })
  }
}

async function listKept(folder: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const shelf of await namesIn(folder)) {
    for (const name of await namesIn(path.join(folder, shelf))) {
      const file = path.join(folder, shelf, name)
      // Another process may tidy up at the same time.
      const stat = await fs.stat(file).catch(() => undefined)
      if (stat !== undefined) kept.push({ file, bytes: Math.max(stat.size, LEAST_BYTES), usedMs: stat.mtimeMs })
    }
  }
  return kept
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder)
  } catch (thrown) {
    if (isSystemError(thrown)) return [] // Not there yet, or a file that somebody put here.
    throw thrown
  }
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown
}
