import { simulate } from './simulate.ts'

const RATES_MBIT = [100, 200, 500, 1000]
const RTTS_MS = [1, 50, 100, 200, 300]
const LOSSES_PERCENT = [0, 0.1, 1, 5, 10]
const WARM_UP_SECONDS = 5
const STEADY_SECONDS = 11

/** One line and what the simulator showed on it. Shares are of the limit: rate x 0.956. */
export interface MatrixCell {
  readonly rateMbit: number
  readonly rttMs: number
  readonly lossPercent: number
  /** A file from the first packet to the last byte, path validation and tail included. */
  readonly wholeShare: number | undefined
  /** After the first 5 s. */
  readonly steadyShare: number
  /** UDP payload sent / file bytes delivered. */
  readonly sentRatio: number
  readonly secondsTo90: number | undefined
  readonly faults: readonly string[]
}

interface Line {
  readonly seed: number
  readonly rateMbit: number
  readonly rttMs: number
  readonly lossPercent: number
}

/** Narrows the matrix; an empty choice is everything. */
export interface MatrixChoice {
  /** Sends a file of this size as well, for the figure of the whole. */
  readonly fileBytes?: number
  readonly ratesMbit?: readonly number[]
  readonly rttsMs?: readonly number[]
}

/** Runs rate x round trip x loss one after the other: 100, 200, 500, 1000 Mbit/s, 1 to 300 ms, 0 to 10 %. Queue 1 BDP. */
export function* runMatrix(seed: number, choice: MatrixChoice): Generator<MatrixCell> {
  for (const rateMbit of choice.ratesMbit ?? RATES_MBIT) {
    for (const rttMs of choice.rttsMs ?? RTTS_MS) {
      for (const lossPercent of LOSSES_PERCENT) {
        yield runCell({ seed, rateMbit, rttMs, lossPercent }, choice.fileBytes)
      }
    }
  }
}

function runCell(line: Line, fileBytes: number | undefined): MatrixCell {
  const steady = simulate({ ...line, seconds: STEADY_SECONDS, warmUpSeconds: WARM_UP_SECONDS })
  const whole = fileBytes === undefined ? undefined : simulate({ ...line, bytes: fileBytes, seconds: 600 })
  const sender = (whole ?? steady).flows[0]?.sender
  return {
    rateMbit: line.rateMbit,
    rttMs: line.rttMs,
    lossPercent: line.lossPercent,
    steadyShare: steady.steadyShare,
    wholeShare: whole?.wholeShare,
    sentRatio: (sender?.sentBytes ?? 0) / Math.max(1, sender?.ackedBytes ?? 0),
    secondsTo90: steady.flows[0]?.secondsTo90,
    faults: [...steady.faults, ...(whole?.faults ?? [])],
  }
}

/** One row of the table in docs/transport-figures.md. */
export function formatCell(cell: MatrixCell): string {
  const start = cell.secondsTo90 === undefined ? '-' : cell.secondsTo90.toFixed(1)
  const figures = [cell.steadyShare.toFixed(3), cell.wholeShare?.toFixed(3) ?? '-', cell.sentRatio.toFixed(3), start]
  const note = cell.faults.length === 0 ? '' : ` ${cell.faults[0]}`
  return `| ${cell.rateMbit} | ${cell.rttMs} | ${cell.lossPercent} | ${figures.join(' | ')} |${note}`
}

export const MATRIX_HEAD =
  '| Mbit/s | RTT ms | loss % | steady / limit | whole / limit | bytes sent / file | s to 90 % |\n|---:|---:|---:|---:|---:|---:|---:|'
