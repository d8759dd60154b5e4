import type { Clock } from '@godwit/base'
import { flowWeights } from './flow-weights.policy.ts'
import type { TransferRun } from './transfer-run.ts'
import { sharesOf, type Line, type Share, type Sharer } from './transfer-shares.policy.ts'
import { transferRateOf } from './transfers.present.ts'

/** The rates of the transfers of this process are looked at this often. */
export const SHARE_MS = 1_000
/** The first seconds of a transfer say little about how fast it is. */
const START_MS = 4_000
/** After so long it gets no faster, however much others give way. */
const SETTLE_MS = 10_000
/** How much of its best rate still counts a second later. */
const FADING = 0.95
/** One that stays so far below its pace is slowed down by the line and not by us. */
const AT_PACE = 0.85
/** The transfers of one account are likely to share its line: there all but this part is given to the one in a hurry. */
const KEPT_BY_OWN = 0.1
/** Whoever else transfers here keeps half of an equal share: a deadline is no way to take the line from others. */
const KEPT_BY_OTHERS = 0.5

interface Seen {
  readonly since: number
  hurriedSince: number | undefined
  pace: number
  reach: number
}

interface Group {
  readonly runs: TransferRun[]
  readonly kept: number
}

/** Gives accounts their parts of a line, and lets transfers without a hurry give way to those that would come too late. */
export class TransferShares {
  readonly #clock: Clock
  readonly #seen = new WeakMap<TransferRun, Seen>()
  /** What the transfers of a line reach together, by its name; kept while they are paced. */
  #lines = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param runs the transfers whose client is connected to this process */
  share(runs: readonly TransferRun[]): void {
    const moving = runs.filter((run) => !run.isPaused)
    for (const run of moving) {
      const seen = this.#seenOf(run)
      seen.reach = Math.max(Number(run.record.current.bytes_per_second), seen.reach * FADING)
    }
    const lines = new Map<string, number>()
    const found = new Map<TransferRun, Share[]>()
    if (moving.some(({ record }) => Number(record.row.deadline) > 0)) {
      for (const [name, group] of groupsOf(moving)) {
        const rate = this.#lineOf(name, group.runs)
        lines.set(name, rate)
        for (const [run, share] of this.#sharesIn({ rate, kept: group.kept }, group.runs))
          found.set(run, [...(found.get(run) ?? []), share])
      }
    }
    this.#lines = lines
    const weights = weightsOf(moving)
    for (const run of runs) this.#apply(run, { shares: found.get(run) ?? [], weight: weights.get(run) ?? 1 })
  }

  #sharesIn(line: Line, runs: readonly TransferRun[]): ReadonlyArray<readonly [TransferRun, Share]> {
    const shares = sharesOf(
      line,
      runs.map((run) => this.#sharerOf(run)),
      this.#clock.now(),
    )
    return runs.flatMap((run) => {
      const share = shares.get(run.record.row.id)
      return share === undefined ? [] : [[run, share] as const]
    })
  }

  #sharerOf(run: TransferRun): Sharer {
    const { id, priority, bytes, bytes_done: done, bytes_per_second: rate, deadline } = run.record.current
    const { since, hurriedSince, reach } = this.#seenOf(run)
    const now = this.#clock.monotonic()
    return {
      ...{ id, priority, reach, rate: Number(rate), limit: transferRateOf(run.record.row) },
      remaining: Math.max(0, Number(bytes) - Number(done)),
      deadline: now - since < START_MS ? 0 : Number(deadline),
      isHurried: hurriedSince !== undefined,
      isSettled: hurriedSince !== undefined && now - hurriedSince >= SETTLE_MS,
    }
  }

  /** While some are paced they leave room that the others may not have taken yet: then the line is not what they reach. */
  #lineOf(name: string, runs: readonly TransferRun[]): number {
    const reached = runs.reduce((sum, { record }) => sum + Number(record.current.bytes_per_second), 0)
    const isHeldBack = runs.some((run) => {
      const { pace } = this.#seenOf(run)
      return pace > 0 && Number(run.record.current.bytes_per_second) >= pace * AT_PACE
    })
    return isHeldBack ? Math.max(reached, this.#lines.get(name) ?? 0) : reached
  }

  #seenOf(run: TransferRun): Seen {
    const known = this.#seen.get(run)
    if (known !== undefined) return known
    const seen: Seen = { since: this.#clock.monotonic(), hurriedSince: undefined, pace: 0, reach: 0 }
    this.#seen.set(run, seen)
    return seen
  }

  /** A transfer is on the line of its account and on that of the server; the lower pace counts. */
  #apply(run: TransferRun, { shares, weight }: { readonly shares: readonly Share[]; readonly weight: number }): void {
    const seen = this.#seenOf(run)
    const paces = shares.map(({ pace }) => pace).filter((pace) => pace > 0)
    const isHurried = shares.some((share) => share.isHurried)
    seen.hurriedSince = isHurried ? (seen.hurriedSince ?? this.#clock.monotonic()) : undefined
    seen.pace = paces.length === 0 ? 0 : Math.round(Math.min(...paces))
    // What all of the server could give it says whether it comes in time.
    run.setShare({ pace: seen.pace, weight, lateMs: shares.at(-1)?.lateMs ?? 0 })
  }
}

/** Of those that send in one direction: the others are on the other side of the line. */
function weightsOf(runs: readonly TransferRun[]): ReadonlyMap<TransferRun, number> {
  const directions = Map.groupBy(runs, ({ record }) => record.row.direction)
  return new Map([...directions.values()].flatMap((group) => [...flowWeights(group)]))
}

/** Uploads and downloads meet on different sides of a line. That of the server comes last. */
function groupsOf(runs: readonly TransferRun[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  const put = (name: string, kept: number, run: TransferRun): void => {
    const group = groups.get(name) ?? { runs: [], kept }
    group.runs.push(run)
    groups.set(name, group)
  }
  for (const run of runs) put(`${run.record.row.direction} of ${run.record.row.user_id}`, KEPT_BY_OWN, run)
  for (const run of runs) put(run.record.row.direction, KEPT_BY_OTHERS, run)
  return groups
}
