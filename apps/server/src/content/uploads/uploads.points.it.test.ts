import { expect, it } from 'vitest'
import { KilledServers } from '../../testing/kill-points.ts'
import { mayTrace, type Point } from '../../testing/traced-threads.ts'

/** One of each kind of call; the torture test takes all of them. */
const SAMPLE: ReadonlyArray<Omit<Point, 'effect'>> = [
  { thread: 'files', syscall: 'pwrite64', when: 2 },
  { thread: 'files', syscall: 'fdatasync', when: 2 },
  { thread: 'files', syscall: 'fsync', when: 1 },
  { thread: 'files', syscall: 'link', when: 1 },
  { thread: 'files', syscall: 'unlink', when: 1 },
  { thread: 'files', syscall: 'unlink', when: 2 },
  { thread: 'main', syscall: 'pwrite64', when: 7 },
  { thread: 'main', syscall: 'pwrite64', when: 33 },
  { thread: 'main', syscall: 'fsync', when: 3 },
]

it.runIf(mayTrace)(
  'killed at a call of an upload, it loses nothing acknowledged and shows nothing half: one call of each kind (row 03) [traces]',
  async () => {
    await using servers = new KilledServers()
    for (const point of SAMPLE) {
      const report = await servers.killAt(point)
      expect({ point, ...report }).toEqual({ point, wasHit: true, faults: [] })
    }
  },
)
