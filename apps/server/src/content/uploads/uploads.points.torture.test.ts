import { expect, it } from 'vitest'
import { KilledServers } from '../../testing/kill-points.ts'
import { mayTrace, type Thread } from '../../testing/traced-threads.ts'

/** Every kind of call that changes a disk. */
const CALLS: Readonly<Record<Thread, readonly string[]>> = {
  files: [
    ...['pwrite64', 'pwritev', 'write', 'ftruncate', 'fdatasync', 'fsync', 'link', 'rename', 'unlink', 'mkdir'],
    ...['utimensat', 'fallocate'],
  ],
  main: ['pwrite64', 'fdatasync', 'fsync', 'ftruncate', 'unlink'],
}

it.runIf(mayTrace)(
  'killed at every call of an upload, it loses nothing acknowledged and shows nothing half (row 03) [traces]',
  async ({ annotate }) => {
    await using servers = new KilledServers()
    let points = 0
    for (const [thread, syscalls] of Object.entries(CALLS) as Array<[Thread, readonly string[]]>) {
      for (const syscall of syscalls) {
        for (let when = 1; ; when++) {
          const report = await servers.killAt({ thread, syscall, when })
          expect({ thread, syscall, when, faults: report.faults }).toEqual({ thread, syscall, when, faults: [] })
          if (!report.wasHit) break
          points++
        }
      }
    }
    await annotate(`killed at ${points} calls`)
    expect(points).toBeGreaterThan(60)
  },
)
