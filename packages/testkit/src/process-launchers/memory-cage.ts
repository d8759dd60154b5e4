import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A control group that bounds the memory of the programs in it, swap included. */
export interface MemoryCage {
  /** The same command, run inside. */
  wrap(argv: readonly [string, ...string[]]): [string, ...string[]]
  /** Programs that the kernel ended because there was no memory left. */
  oomKills(): Promise<number>
  /** Highest use so far, bytes. */
  peakBytes(): Promise<number>
  /** Removes the group, once its programs have ended. */
  remove(): Promise<void>
}

interface Layout {
  readonly root: string
  readonly limit: string
  /** Missing where the kernel does not account for swap. */
  readonly swapLimit: string
  readonly swapBytes: (limit: number) => number
  readonly events: string
  readonly peak: string
}

/** Version 1 counts memory and swap together, version 2 apart. */
const LAYOUTS: readonly Layout[] = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swapLimit: 'memory.memsw.limit_in_bytes',
    swapBytes: (limit) => limit,
    events: 'memory.oom_control',
    peak: 'memory.max_usage_in_bytes',
  },
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    swapLimit: 'memory.swap.max',
    swapBytes: () => 0,
    events: 'memory.events',
    peak: 'memory.peak',
  },
]

/** @returns undefined where none can be created: not Linux, not root, or a container without control groups */
export async function openMemoryCage(limitBytes: number): Promise<MemoryCage | undefined> {
  for (const layout of LAYOUTS) {
    const folder = join(layout.root, `godwit-${randomUUID()}`)
    try {
      await mkdir(folder)
      await writeFile(join(folder, layout.limit), String(limitBytes))
    } catch {
      await rmdir(folder).catch(() => undefined)
      continue // Another version may work.
    }
    const swap = join(folder, layout.swapLimit)
    if (existsSync(swap)) await writeFile(swap, String(layout.swapBytes(limitBytes)))
    return cageIn(folder, layout)
  }
  return undefined
}

function cageIn(folder: string, { events, peak }: Layout): MemoryCage {
  return {
    wrap: (argv) => ['/bin/sh', '-c', `echo $$ > '${join(folder, 'cgroup.procs')}' && exec "$@"`, 'sh', ...argv],
    async oomKills() {
      const [, count = '0'] = /^oom_kill (\d+)$/m.exec(await readFile(join(folder, events), 'utf8')) ?? []
      return Number(count)
    },
    peakBytes: async () => Number(await readFile(join(folder, peak), 'utf8')),
    async remove() {
      // The kernel removes an ended program a moment later.
      for (let attempt = 0; attempt < 50; attempt++) {
        try {
          await rmdir(folder)
          return
        } catch {
          await sleep(100)
        }
      }
    },
  }
}
