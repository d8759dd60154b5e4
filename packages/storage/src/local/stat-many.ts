import fs from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@godwit/base'
import { KIND_FILE, KIND_FOLDER, KIND_GONE, type EntryColumns } from '../object-store.ts'
import type { OpenPlace } from './disk.ts'
import type { LinuxCalls } from './ffi/linux-calls.ts'

/** Entries read through the thread pool at once; also the probe that shows whether they are cached. */
const PROBE_ENTRIES = 64
/** How long direct calls may block the event loop before they yield. */
const SLICE_MS = 2
/** A direct call that takes longer than this came from the disk itself, not from the kernel's cache. */
const CACHED_MS = 0.1
/** Entries between two readings of the clock. */
const LOOK_EVERY = 16

/**
 * Kind, size and time of many entries of one folder.
 * A direct call that hits the kernel's cache takes 1 to 2 microseconds, one through the thread pool 5 to 10; but a direct call
 * that waits for the disk blocks the process. So each stretch starts with a probe through the pool and continues directly, in
 * short slices, only while the entries are cached.
 */
export async function statMany(deps: StatsDeps, wanted: StatsWanted): Promise<EntryColumns> {
  const { clock } = deps
  const { folder, names, signal } = wanted
  const columns = {
    kinds: new Uint8Array(names.length).fill(KIND_GONE),
    sizes: new Float64Array(names.length),
    modifiedMs: new Float64Array(names.length),
  }
  for (let at = 0; at < names.length;) {
    signal?.throwIfAborted()
    const startedAt = clock.monotonic()
    const probed = names.slice(at, at + PROBE_ENTRIES)
    await Promise.all(probed.map((name, index) => statOne(`${folder.at}/${name}`, columns, at + index)))
    at += probed.length
    if (clock.monotonic() - startedAt > PROBE_ENTRIES * CACHED_MS) continue
    at = await statDirectly(deps, wanted, { from: at, columns })
  }
  return columns
}

interface StatsDeps {
  readonly clock: Clock
  /** Calls on the open folder itself: a third of the time of a path through its descriptor. */
  readonly linux: Pick<LinuxCalls, 'statEntry'> | undefined
}

export interface StatsWanted {
  readonly folder: OpenPlace
  readonly names: readonly string[]
  readonly signal: AbortSignal | undefined
}

/** @returns index of the first entry not done: the end, or where the disk became slow */
async function statDirectly(
  { clock, linux }: StatsDeps,
  { folder, names, signal }: StatsWanted,
  { from, columns }: { readonly from: number; readonly columns: EntryColumns },
): Promise<number> {
  let lookedAt: number = clock.monotonic()
  let sliceEnd = lookedAt + SLICE_MS
  for (let index = from; index < names.length; index++) {
    const name = names[index] ?? ''
    if (linux) {
      const { kind, size, modifiedMs } = linux.statEntry(folder.file, name)
      columns.kinds[index] = kind
      columns.sizes[index] = size
      columns.modifiedMs[index] = modifiedMs
    } else record(columns, index, fs.lstatSync(`${folder.at}/${name}`, { throwIfNoEntry: false }))
    if (index % LOOK_EVERY !== 0) continue
    const now = clock.monotonic()
    if (now - lookedAt > LOOK_EVERY * CACHED_MS) return index + 1
    lookedAt = now
    if (now < sliceEnd) continue
    await nextTurn()
    signal?.throwIfAborted()
    lookedAt = clock.monotonic()
    sliceEnd = lookedAt + SLICE_MS
  }
  return names.length
}

function statOne(path: string, columns: EntryColumns, index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.lstat(path, (error, stats) => {
      if (error !== null && error.code !== 'ENOENT') {
        reject(error)
        return
      }
      record(columns, index, error === null ? stats : undefined)
      resolve()
    })
  })
}

function record(columns: EntryColumns, index: number, stats: fs.Stats | undefined): void {
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return
  columns.kinds[index] = stats.isFile() ? KIND_FILE : KIND_FOLDER
  columns.sizes[index] = stats.isFile() ? stats.size : 0
  columns.modifiedMs[index] = stats.mtimeMs
}
