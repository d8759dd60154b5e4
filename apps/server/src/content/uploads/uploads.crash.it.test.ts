import { expect, it } from 'vitest'
import { mayMount, mountLoopDisk } from '../../testing/loop-disks.ts'
import { crashUploads } from '../../testing/upload-crashes.ts'

const NOTHING_WRONG = { lostBytes: 0, faults: [] }

it('loses nothing acknowledged, shows nothing half and books every byte in 10 kills (fault plan, row 01)', async () => {
  // On a slow machine the kills of one run may all come before the first acknowledgement of a pack.
  for (let seed = 1, met = 0; met === 0; seed++) {
    const report = await crashUploads({ rounds: 10, seed })
    expect(report).toMatchObject(NOTHING_WRONG)
    met = Math.min(report.acknowledgedBytes, report.packedFiles)
  }
})

it.runIf(mayMount)(
  'loses nothing and books every byte in 5 power cuts, with files and database on the disk (row 04) [mounts a disk]',
  async () => {
    await using disk = await mountLoopDisk(1024)
    const report = await crashUploads({ rounds: 5, seed: 3, data: disk.folder, crash: disk.cutPower })
    expect(report).toMatchObject(NOTHING_WRONG)
    expect(report.acknowledgedBytes).toBeGreaterThan(0)
  },
)
