import type { ScanOptions } from '../files/scan.ts'
import type { CallDisk } from '../workers/disk-requests.ts'
import { startDiskThread } from '../workers/disk-thread.ts'
import type { FileFailure, ReadSpans, Source, SourceItem, SpansRead } from './source.ts'

/** Another thread is worth its memory when the present ones read for more than this share of the time. */
const BUSY_SHARE = 0.5
/** Time over which that share is measured. */
const MEASURE_MS = 250
const MAX_THREADS = 3

/**
 * Files and folders of a disk. Reads of small files wait for the disk, one after another in each thread. Large ones need a
 * single thread, so it begins with that; everything but reading goes to the first.
 * @param nowMs monotonic
 */
export function startDiskSource(scan: ScanOptions, nowMs: () => number): Source {
  const first = startDiskThread('read')
  const threads = [first]
  let next = 0
  let measured = { at: nowMs(), busyMs: 0 }
  const addThreadWhenBusy = (busyMs: number): void => {
    measured.busyMs += busyMs
    const spanMs = nowMs() - measured.at
    if (spanMs < MEASURE_MS) return
    const isBusy = measured.busyMs > BUSY_SHARE * spanMs * threads.length
    if (threads.length < MAX_THREADS && isBusy) threads.push(startDiskThread('read'))
    measured = { at: nowMs(), busyMs: 0 }
  }
  return {
    list: (onSkipped) => listDisk(first.call, scan, onSkipped),
    async read(request: ReadSpans): Promise<SpansRead> {
      const thread = threads[next++ % threads.length] ?? first
      const read = await thread.call('read', request)
      addThreadWhenBusy(read.busyMs)
      return read
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

/** The listing of a disk, its next part read while this one is used. */
export async function* listDisk(
  call: CallDisk,
  scan: ScanOptions,
  onSkipped: (skipped: FileFailure) => void,
): AsyncGenerator<SourceItem> {
  for (let part = await call('list', scan); ;) {
    part.skipped.forEach(onSkipped)
    const next = part.isEnd ? undefined : call('listMore', undefined)
    yield* part.items
    if (next === undefined) return
    part = await next
  }
}
