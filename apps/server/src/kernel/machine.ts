import fs from 'node:fs'
import os from 'node:os'
import type { Clock } from '@godwit/base'
import { availableMemory } from './request-memory.ts'

/** What the machine and this process did since the reading before. */
export interface MachineReading {
  /** Share of all processors, 0 to 1: of the machine, and of this process. */
  readonly cpu: number
  readonly processCpu: number
  /** Bytes in use, of those that this process may use: those of the machine, or of its container. */
  readonly memoryBytes: number
  readonly memoryTotalBytes: number
  readonly processMemoryBytes: number
  /** Bytes a second through all network cards but the loopback; null where the system does not say. */
  readonly receivedPerSecond: number | null
  readonly sentPerSecond: number | null
}

export interface Machine {
  read(): MachineReading
}

export interface NetworkTotals {
  readonly received: number
  readonly sent: number
}

interface Totals {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly busy: number
  readonly idle: number
  /** Microseconds of this process. */
  readonly process: number
  readonly network: NetworkTotals | undefined
}

/** Linux alone has it; its columns are described in proc_net_dev(5). */
const NETWORK_FILE = '/proc/net/dev'

export function openMachine(clock: Clock): Machine {
  let before = totals(clock)
  return {
    read() {
      const now = totals(clock)
      const seconds = Math.max(0.001, (now.at - before.at) / 1000)
      const busy = now.busy - before.busy
      const all = busy + now.idle - before.idle
      const own = (now.process - before.process) / 1e6 / seconds / os.availableParallelism()
      const memoryTotalBytes = availableMemory()
      const rate = (direction: keyof NetworkTotals): number | null => {
        if (now.network === undefined || before.network === undefined) return null
        // A card that was removed takes its count with it.
        return Math.max(0, (now.network[direction] - before.network[direction]) / seconds)
      }
      const reading: MachineReading = {
        cpu: all <= 0 ? 0 : share(busy / all),
        processCpu: share(own),
        memoryBytes: Math.max(0, Math.round(memoryTotalBytes - process.availableMemory())),
        memoryTotalBytes,
        processMemoryBytes: process.memoryUsage.rss(),
        receivedPerSecond: rate('received'),
        sentPerSecond: rate('sent'),
      }
      before = now
      return reading
    },
  }
}

function totals(clock: Clock): Totals {
  let [busy, idle] = [0, 0]
  for (const { times } of os.cpus()) {
    idle += times.idle
    busy += times.user + times.nice + times.sys + times.irq
  }
  const { user, system } = process.cpuUsage()
  return { at: clock.monotonic(), busy, idle, process: user + system, network: readNetwork() }
}

function readNetwork(): NetworkTotals | undefined {
  try {
    return networkTotals(fs.readFileSync(NETWORK_FILE, 'utf8'))
  } catch {
    return undefined // Another system, or a container that hides it: the figure is left out.
  }
}

/** Bytes through all cards but the loopback, from the text of `/proc/net/dev`. */
export function networkTotals(text: string): NetworkTotals {
  let [received, sent] = [0, 0]
  for (const line of text.split('\n')) {
    const [name, numbers] = line.split(':')
    if (numbers === undefined || name?.trim() === 'lo') continue
    const columns = numbers.trim().split(/\s+/).map(Number)
    received += columns[0] ?? 0
    sent += columns[8] ?? 0
  }
  return { received, sent }
}

function share(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000))
}
