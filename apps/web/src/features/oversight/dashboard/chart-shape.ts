export interface ChartPoint {
  /** Unix milliseconds. */
  readonly at: number
  /** Null where nothing was measured. */
  readonly value: number | null
}

export interface ChartFrame {
  readonly from: number
  readonly to: number
  /** Value at the upper edge. */
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Samples further apart than this are not joined: the server was away. */
const GAP_MS = 30_000

/** Runs of points without a gap, in the frame's own units. */
function runsOf(
  points: readonly ChartPoint[],
  frame: ChartFrame,
): ReadonlyArray<ReadonlyArray<readonly [number, number]>> {
  const runs: Array<Array<readonly [number, number]>> = []
  let before: number | undefined
  for (const { at, value } of points) {
    if (value === null || at < frame.from) {
      before = undefined
      continue
    }
    if (before === undefined || at - before > GAP_MS) runs.push([])
    before = at
    const x = ((at - frame.from) / (frame.to - frame.from)) * frame.width
    const y = frame.height * (1 - Math.min(1, value / frame.top))
    runs.at(-1)?.push([rounded(x), rounded(y)])
  }
  return runs
}

/** The `d` of a path. */
export function linesOf(points: readonly ChartPoint[], frame: ChartFrame): string {
  return runsOf(points, frame).map(pathOf).join('')
}

/** The same down to the base, to be filled. */
export function areaOf(points: readonly ChartPoint[], frame: ChartFrame): string {
  return runsOf(points, frame)
    .map((run) => `${pathOf(run)}L${run.at(-1)?.[0] ?? 0} ${frame.height}L${run[0]?.[0] ?? 0} ${frame.height}Z`)
    .join('')
}

function pathOf(run: ReadonlyArray<readonly [number, number]>): string {
  // A single point is shown as a short dash.
  const [first] = run
  const shown = run.length === 1 && first !== undefined ? [first, [first[0] + 1, first[1]] as const] : run
  return shown.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** The sample nearest to a moment; 0 when there is none. */
export function indexAt(times: readonly number[], moment: number): number {
  let nearest = 0
  for (const [at, time] of times.entries())
    if (Math.abs(time - moment) < Math.abs((times[nearest] ?? 0) - moment)) nearest = at
  return nearest
}

/** 1, 2 or 5 times a power of ten that is not below the value; at least 1. */
export function roundTop(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= value) ?? value
}
