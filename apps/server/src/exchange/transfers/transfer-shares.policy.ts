import type { TransferPriority } from '@godwit/contract'

/** A transfer among those that share a line. Rates are in bytes per second, times in Unix milliseconds. */
export interface Sharer {
  readonly id: string
  readonly priority: TransferPriority
  /** Bytes that have not arrived. */
  readonly remaining: number
  readonly rate: number
  /** The best rate of the last seconds: from one second to the next a rate jumps. */
  readonly reach: number
  /** What it may be at most by itself; 0: no limit. */
  readonly limit: number
  /** 0: none. */
  readonly deadline: number
  /** Others give way to it already. */
  readonly isHurried: boolean
  /** They have for a while: it gets hardly faster than it is. */
  readonly isSettled: boolean
}

export interface Share {
  /** It would come too late as an equal, or at its present rate: the others give way. */
  readonly isHurried: boolean
  /** How fast it may be, so that others come in time; 0: as fast as it gets. */
  readonly pace: number
  /** By how much it comes too late all the same; 0: in time. */
  readonly lateMs: number
}

export interface Line {
  /** What all of its transfers reach together. */
  readonly rate: number
  /** The part of their equal shares that those who give way keep at least, above 0. */
  readonly kept: number
}

/** As the senders share: `high` is two flows, `low` yields. */
const WEIGHTS: Readonly<Record<TransferPriority, number>> = { low: 0.25, normal: 1, high: 2 }
/** A deadline is aimed at with this much to spare. */
const MARGIN = 1.1
/** A rate grows by this factor from one look to the next: more room would stay unused. */
const GROWTH = 1.5
const LEAST_ROOM = 128 * 1024
/** Others give way until it is this much faster than it has to be: at the rate that it owes to them it would slow down again. */
const CALM = 2
/** Less than this is not worth a word. */
const GRACE_MS = 5_000
const LATE_MAX_MS = 365 * 24 * 3_600_000

/**
 * Shares a line by weights. The weight of a transfer that needs more than its equal share to come in time grows to
 * what it needs; the others share what is left, and as long as nobody is in a hurry none of them is slowed down.
 */
export function sharesOf(line: Line, sharers: readonly Sharer[], now: number): ReadonlyMap<string, Share> {
  const needs = new Map(sharers.map((sharer) => [sharer.id, needOf(sharer, line.rate, now)]))
  const hurried = hurriedOf(line.rate, sharers, needs)
  const calm = sharers.filter(({ id }) => !hurried.has(id))
  const floor = line.kept * line.rate * (calm.length === 0 ? 0 : weightOf(calm) / weightOf(sharers))
  const paces = hurried.size === 0 ? undefined : pacesOf(line.rate, { sharers, hurried, needs, floor })
  const wanted = sharers.reduce((sum, { id }) => sum + (hurried.has(id) ? (needs.get(id) ?? 0) : 0), 0)
  const part = wanted === 0 ? 1 : Math.min(1, (line.rate - floor) / wanted)
  return new Map(
    sharers.map((sharer) => {
      const isHurried = hurried.has(sharer.id)
      const reach = sharer.isSettled ? sharer.reach : (needs.get(sharer.id) ?? 0) * (isHurried ? part : 1)
      const lateMs = sharer.deadline === 0 ? 0 : latenessOf(sharer, reach, now)
      return [sharer.id, { isHurried, pace: paces?.get(sharer.id) ?? 0, lateMs }]
    }),
  )
}

/** The rate that brings it in time, as far as the line and its own limit allow; 0 without a deadline. */
function needOf({ remaining, limit, deadline }: Sharer, line: number, now: number): number {
  if (deadline === 0 || remaining === 0) return 0
  const most = limit === 0 ? line : Math.min(limit, line)
  const left = (deadline - now) / 1000
  return left <= 0 ? most : Math.min(most, (remaining / left) * MARGIN)
}

/** Those that need more than their equal share or their present rate; what they take leaves less for the rest, who may need more than that. */
function hurriedOf(line: number, sharers: readonly Sharer[], needs: ReadonlyMap<string, number>): ReadonlySet<string> {
  const hurried = new Set<string>()
  let left = line
  for (;;) {
    const open = sharers.filter(({ id }) => !hurried.has(id))
    const weight = weightOf(open)
    const more = open.filter((sharer) => {
      const need = needs.get(sharer.id) ?? 0
      const equal = (Math.max(0, left) * WEIGHTS[sharer.priority]) / weight
      return need > 0 && (need >= equal || need > sharer.rate / (sharer.isHurried ? CALM : 1))
    })
    if (more.length === 0) return hurried
    for (const { id } of more) {
      hurried.add(id)
      left -= needs.get(id) ?? 0
    }
  }
}

interface Pacing {
  readonly sharers: readonly Sharer[]
  readonly hurried: ReadonlySet<string>
  readonly needs: ReadonlyMap<string, number>
  readonly floor: number
}

/** How fast those may be who give way. */
function pacesOf(line: number, { sharers, hurried, needs, floor }: Pacing): ReadonlyMap<string, number> {
  let room = 0
  for (const sharer of sharers) {
    // Its equal share is left free for it until it has shown that it does not take that much.
    const equal = sharer.isSettled ? 0 : (line * WEIGHTS[sharer.priority]) / weightOf(sharers)
    const usable = Math.max(equal, LEAST_ROOM, sharer.reach * GROWTH)
    if (hurried.has(sharer.id)) room += Math.min(needs.get(sharer.id) ?? 0, usable)
  }
  let left = Math.max(floor, line - room)
  let open = sharers.filter(({ id }) => !hurried.has(id))
  const paces = new Map<string, number>()
  // Whoever takes less than its share leaves the difference to the others.
  for (;;) {
    const each = left / weightOf(open)
    const modest = open.filter((sharer) => nextRate(sharer) < each * WEIGHTS[sharer.priority])
    if (modest.length === 0 || modest.length === open.length) {
      for (const { id, priority } of open) paces.set(id, Math.max(1, each * WEIGHTS[priority]))
      return paces
    }
    for (const sharer of modest) {
      paces.set(sharer.id, nextRate(sharer))
      left -= nextRate(sharer)
    }
    open = open.filter(({ id }) => !paces.has(id))
  }
}

function nextRate({ rate }: Sharer): number {
  return Math.max(LEAST_ROOM, rate * GROWTH)
}

function weightOf(sharers: readonly Sharer[]): number {
  return sharers.reduce((sum, { priority }) => sum + WEIGHTS[priority], 0)
}

function latenessOf({ remaining, deadline }: Sharer, reach: number, now: number): number {
  const arrives = remaining === 0 ? now : reach > 0 ? now + (remaining / reach) * 1000 : Infinity
  const late = Math.round(Math.min(LATE_MAX_MS, arrives - deadline))
  return late < GRACE_MS ? 0 : late
}
