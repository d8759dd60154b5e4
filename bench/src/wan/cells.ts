/** One condition of the emulated line. */
export interface Cell {
  readonly rateMbit: number
  readonly rttMs: number
  /** Per cent, both directions. */
  readonly lossPercent: number
}

/** Share of a full packet's IP bytes that is file: 1405 of 1470. */
const PAYLOAD_SHARE = 0.956

/** The golden cells: what is measured live for every release. All 75 run in the simulator. */
export const GOLDEN: readonly Cell[] = [
  cell(100, 100, 0.1),
  cell(100, 100, 1),
  cell(100, 100, 5),
  cell(100, 100, 10),
  cell(100, 300, 1),
  cell(200, 1, 0),
  cell(200, 50, 0.1),
  cell(200, 100, 1),
  cell(200, 200, 1),
  cell(200, 200, 5),
  cell(200, 300, 10),
  cell(1000, 1, 0),
  cell(1000, 50, 0.1),
  cell(1000, 100, 1),
  cell(1000, 200, 5),
]

function cell(rateMbit: number, rttMs: number, lossPercent: number): Cell {
  return { rateMbit, rttMs, lossPercent }
}

export function nameOf(one: Cell): string {
  return `${one.rateMbit}:${one.rttMs}:${one.lossPercent}`
}

/** Reads `200:100:1` (Mbit/s, ms, per cent). @throws Error naming the text */
export function parseCell(text: string): Cell {
  const [rateMbit, rttMs, lossPercent, ...more] = text.split(':').map(Number)
  const good = more.length === 0 && [rateMbit, rttMs, lossPercent].every((value) => value !== undefined && value >= 0)
  if (!good || rateMbit === undefined || rttMs === undefined || lossPercent === undefined) {
    throw new Error(`not a cell (Mbit/s:ms:%): ${text}`)
  }
  return { rateMbit, rttMs, lossPercent }
}

/** Mbit/s of file bytes that the line can carry. Losses strike before the bottleneck, so they take none of it. */
export function limitMbit(one: Cell): number {
  return one.rateMbit * PAYLOAD_SHARE
}

/** File size for a cell: about 20 seconds of the line, so that start-up and steady state both show. */
export function fileMegabytes(one: Cell): number {
  return one.rateMbit >= 1000 ? 1500 : one.rateMbit >= 200 ? 500 : 250
}
