import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { randomHex, type Random } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import type { PictureCache } from '../pictures/index.ts'
import { runCaged, type CagedEnding } from './cage.ts'
import type { FilmInputs, OpenedFilm } from './film-inputs.ts'

/** A film or sound that is to be played. */
export interface PlayedFilm extends OpenedFilm {
  /** What it is read as. */
  readonly format: string
  /** Whose turn it is. */
  readonly owner: string
}

export interface FilmsDeps {
  /** Absolute paths of ffmpeg and ffprobe. */
  readonly programs: { readonly ffmpeg: string; readonly ffprobe: string }
  readonly cache: PictureCache
  readonly inputs: FilmInputs
  /** Each run has a folder in it. */
  readonly folder: string
  /** What no program shall see. */
  readonly hidden: readonly string[]
  readonly random: Random
  readonly log: Log
  /** For one run; then the program is ended. */
  readonly limitMs?: number
  /** For finding the cuts of a film. */
  readonly indexMs?: number
}

/** Part of each name in the cache, so that what an older version made is not found. */
const VERSION = 2
/** @returns a name in the cache */
export function keyOf(...parts: readonly string[]): string {
  return createHash('sha256')
    .update([VERSION, ...parts].join('\0'))
    .digest('hex')
    .slice(0, 40)
}

const MAX_MEMORY_BYTES = 1_536 * 1_024 * 1_024
/** Name of the film in the folder of a run. */
export const INPUT = 'in'

export interface FilmRun {
  readonly program: string
  readonly args: readonly string[]
  readonly limitMs: number
  readonly fileBytes: number
  readonly onLine?: (line: string) => void
}

/** Runs a program in a folder of its own that holds the film. */
export async function inFolder<T>(
  { folder: parent, hidden, inputs, random }: FilmsDeps,
  film: PlayedFilm,
  signal: AbortSignal,
  work: (folder: string, run: (one: FilmRun) => Promise<CagedEnding>) => Promise<T>,
): Promise<T> {
  const folder = path.join(parent, randomHex(random, 8))
  await fs.mkdir(path.join(folder, 'out'), { recursive: true, mode: 0o700 })
  try {
    await using opened = await inputs.open(film, signal)
    const input = { name: INPUT, descriptor: opened.descriptor }
    return await work(folder, (one) =>
      runCaged({ ...one, folder, hidden, input, memoryBytes: MAX_MEMORY_BYTES, signal }),
    )
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Segments that are made in one run. */
export interface SegmentRange {
  /** The first, and the one behind the last. */
  readonly from: number
  readonly to: number
  readonly isLast: boolean
}

/** How the segments of a film are made. */
export interface Making {
  readonly count: number
  /** Of any file that the program writes. */
  readonly fileBytes: number
  /** @param mark name of the overlay in the folder */
  readonly args: (range: SegmentRange, mark: string | undefined) => readonly string[]
  readonly isWhole: (index: number, segment: Uint8Array) => Promise<boolean>
}
