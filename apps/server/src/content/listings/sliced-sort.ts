import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@godwit/base'

/** How long a sort may keep the event loop before others get their turn. */
const SLICE_MS = 4
const RUN = 2_048

/**
 * The order of 0..count-1 under `compare`, as a permutation. A merge sort in slices, because a million names take seconds and
 * everybody else's requests wait on the same thread.
 */
export async function slicedSort(
  count: number,
  compare: (left: number, right: number) => number,
  breathe: Breathe,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, index) => index)
  for (let at = 0; at < count; at += RUN) {
    from.subarray(at, at + RUN).sort(compare)
    await breathe()
  }
  let to = new Uint32Array(count)
  for (let width = RUN; width < count; width *= 2) {
    for (let at = 0; at < count; at += 2 * width) {
      const merge = { from, to, at, middle: Math.min(at + width, count), end: Math.min(at + 2 * width, count) }
      for (const _pause of mergeRuns(merge, compare)) await breathe()
    }
    ;[from, to] = [to, from]
  }
  return from
}

interface Merge {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly at: number
  readonly middle: number
  readonly end: number
}

/** Merges [at, middle) and [middle, end); pauses every RUN entries. */
function* mergeRuns({ from, to, at, middle, end }: Merge, compare: (left: number, right: number) => number) {
  let left = at
  let right = middle
  for (let out = at; out < end; out++) {
    const leftEntry = from[left] ?? 0
    const rightEntry = from[right] ?? 0
    const takeLeft = left < middle && (right >= end || compare(leftEntry, rightEntry) <= 0)
    to[out] = takeLeft ? leftEntry : rightEntry
    if (takeLeft) left++
    else right++
    if (out % RUN === 0) yield
  }
}

/** Called often in long work, so that others get their turn. @throws the reason of the signal */
export type Breathe = () => Promise<void>

/** Gives the event loop a turn whenever the slice is used up. */
export function breather(clock: Clock, signal?: AbortSignal): Breathe {
  let sliceEnd = clock.monotonic() + SLICE_MS
  return async () => {
    if (clock.monotonic() < sliceEnd) return
    await nextTurn()
    signal?.throwIfAborted()
    sliceEnd = clock.monotonic() + SLICE_MS
  }
}
