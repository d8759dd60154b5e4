/**
 * Numbers that a database gives to rows when they are inserted, read in order while lower ones may still be committed:
 * which were seen, and up to where nothing more can come.
 */
export interface SeqWindow {
  /** Nothing at or below it is looked at any more. */
  readonly floor: number
  /** @returns whether this is the first time */
  add(seq: number, nowMs: number): boolean
  /** Raises the floor over what is seen without gaps, and over gaps that are old: those were rolled back. */
  advance(nowMs: number): void
}

/** A single insert commits long before this. */
const GAP_MS = 5_000

export function createSeqWindow(start: number): SeqWindow {
  const seenAt = new Map<number, number>()
  let floor = start
  return {
    get floor() {
      return floor
    },
    add(seq, nowMs) {
      if (seq <= floor || seenAt.has(seq)) return false
      seenAt.set(seq, nowMs)
      return true
    },
    advance(nowMs) {
      for (const seq of [...seenAt.keys()].toSorted((a, b) => a - b)) {
        if (seq !== floor + 1 && nowMs - (seenAt.get(seq) ?? 0) < GAP_MS) return
        seenAt.delete(seq)
        floor = seq
      }
    },
  }
}
