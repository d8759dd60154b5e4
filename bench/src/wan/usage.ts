import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc/PID/stat; fixed for user space on Linux. */
const TICKS = 100
const SAMPLE_MS = 100

export interface Usage {
  readonly cpuSeconds: number
  /** Sum of the largest resident sets of the processes, MiB. */
  readonly memoryMiB: number
  /** CPU seconds of the process that used most. */
  readonly busiestSeconds: number
}

/** Watches processes and their descendants by sampling /proc: no wrapper stands between the bench and what it measures. */
export function watchUsage(roots: readonly number[]): { stop(): Usage } {
  const cpu = new Map<number, number>()
  const memory = new Map<number, number>()
  const sample = (): void => {
    for (const pid of withDescendants(roots)) {
      const used = readCpu(pid)
      if (used !== undefined) cpu.set(pid, Math.max(used, cpu.get(pid) ?? 0))
      const peak = readPeak(pid)
      if (peak !== undefined) memory.set(pid, Math.max(peak, memory.get(pid) ?? 0))
    }
  }
  const first = new Map([...withDescendants(roots)].map((pid) => [pid, readCpu(pid) ?? 0]))
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    stop() {
      sample()
      clearInterval(timer)
      const each = [...cpu].map(([pid, used]) => used - (first.get(pid) ?? 0))
      const cpuSeconds = each.reduce((sum, used) => sum + used, 0)
      return {
        cpuSeconds,
        busiestSeconds: Math.max(0, ...each),
        memoryMiB: [...memory.values()].reduce((sum, peak) => sum + peak, 0),
      }
    },
  }
}

function withDescendants(roots: readonly number[]): Set<number> {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? readStat(pid)?.[1] : undefined
    if (parent === undefined) continue
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid])
  }
  const found = new Set<number>()
  const visit = (pid: number): void => {
    if (found.has(pid)) return
    found.add(pid)
    for (const child of children.get(pid) ?? []) visit(child)
  }
  roots.forEach(visit)
  return found
}

/** Fields after the command name; that may hold spaces and parentheses. Undefined when the process is gone. */
function readStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function readCpu(pid: number): number | undefined {
  const fields = readStat(pid)
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS
}

function readPeak(pid: number): number | undefined {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found === null ? undefined : Number(found[1]) / 1024
  } catch {
    return undefined
  }
}
