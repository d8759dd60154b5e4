import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { type Cell, limitMbit } from './cells.ts'
import { labFaults, type LineCounters } from './line.ts'
import { allocatedBytes, type Arena, type Method } from './methods.ts'
import { watchUsage } from './usage.ts'

/**
 * A core busier than this makes a cell a statement about the processor, not about the protocol. Counted is what the
 * method and the emulator use: they run in the real-time class, so other work takes nothing from them.
 */
const FULL_CORE = 0.9
const CORES = availableParallelism()
/** Start-up is over by then: the steady figure begins here. */
const STEADY_FROM_MS = 5000
const SAMPLE_MS = 250

export interface Measurement {
  readonly method: string
  readonly cell: Cell
  readonly seconds: number
  /** The file was complete and its hash equal; otherwise the figures are those of the bytes that came in time. */
  readonly isComplete: boolean
  readonly wholeMbit: number
  readonly wholeShare: number
  /** From the fifth second on; undefined when the copy was done by then. */
  readonly steadyShare: number | undefined
  readonly cpuSecondsPerGbit: number
  readonly memoryMiB: number
  /** IP bytes on the line towards the copy, per byte of file. */
  readonly lineBytesPerByte: number
  readonly isCpuBound: boolean
  /** Packets this machine lost by itself; the run does not count when there are any. */
  readonly labFaults: number
  /** Share of the time in which the emulated line stood still; above 1 % the run does not count. */
  readonly pausedShare: number
}

/** Runs one method once. @param capSeconds a copy that takes longer is stopped and counted by what arrived */
export async function measure(
  method: Method,
  arena: Arena,
  run: { capSeconds: number; sourceHash: string },
): Promise<Measurement> {
  const prepared = await method.prepare(arena)
  try {
    const before = await arena.line.counters()
    const begun = performance.now()
    const children = prepared.start()
    const usage = watchUsage([...prepared.pids, ...children.flatMap(({ pid }) => (pid === undefined ? [] : [pid]))])
    const growth = watchGrowth(arena.target, begun)
    const timer = setTimeout(() => children.forEach((child) => child.kill('SIGTERM')), run.capSeconds * 1000)
    await Promise.all(children.map((child) => once(child, 'exit')))
    clearTimeout(timer)
    const seconds = (performance.now() - begun) / 1000
    const used = usage.stop()
    const steps = growth.stop()
    const after = await arena.line.counters()
    const emulator = after.cpuSeconds - before.cpuSeconds
    const copies = await prepared.copies()
    const isComplete = (await hashFiles(copies)) === run.sourceHash
    const bytes = isComplete ? arena.bytes : Math.min(arena.bytes, steps.at(-1)?.bytes ?? 0)
    return {
      ...figures({ bytes, seconds, steps, arena, before, after }),
      method: method.name,
      cell: arena.cell,
      seconds,
      isComplete,
      cpuSecondsPerGbit: used.cpuSeconds / ((bytes * 8) / 1e9),
      memoryMiB: used.memoryMiB,
      isCpuBound: Math.max(used.busiestSeconds, (used.cpuSeconds + emulator) / CORES) > FULL_CORE * seconds,
    }
  } finally {
    await prepared.stop()
  }
}

interface Step {
  readonly ms: number
  readonly bytes: number
}

function figures(run: {
  bytes: number
  seconds: number
  steps: readonly Step[]
  arena: Arena
  before: LineCounters
  after: LineCounters
}) {
  const limit = limitMbit(run.arena.cell)
  const wholeMbit = (run.bytes * 8) / run.seconds / 1e6
  const sent = run.after.aToB.inBytes - run.before.aToB.inBytes
  return {
    wholeMbit,
    wholeShare: wholeMbit / limit,
    steadyShare: steadyMbit(run.steps) === undefined ? undefined : (steadyMbit(run.steps) ?? 0) / limit,
    lineBytesPerByte: run.bytes === 0 ? 0 : sent / run.bytes,
    labFaults: labFaults(run.after) - labFaults(run.before),
    pausedShare: (run.after.pausedSeconds - run.before.pausedSeconds) / run.seconds,
  }
}

/** Slope of the copy's growth after the start, up to its last growth. */
function steadyMbit(steps: readonly Step[]): number | undefined {
  const first = steps.find(({ ms }) => ms >= STEADY_FROM_MS)
  const last = steps.at(-1)
  if (first === undefined || last === undefined || last.ms - first.ms < 2000) return undefined
  return ((last.bytes - first.bytes) * 8) / (last.ms - first.ms) / 1000
}

/** The copy's bytes on disk over time. */
function watchGrowth(folder: string, begun: number): { stop(): Step[] } {
  const steps: Step[] = []
  const look = (): void => {
    const bytes = allocatedBytes(folder)
    if (bytes > (steps.at(-1)?.bytes ?? 0)) steps.push({ ms: performance.now() - begun, bytes })
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    stop() {
      look()
      clearInterval(timer)
      return steps
    },
  }
}

async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
    } catch {
      // A copy that never began has no file; its hash then differs, which is the answer.
      return 'missing'
    }
  }
  return hash.digest('hex')
}

export async function hashFile(path: string): Promise<string> {
  return hashFiles([path])
}
