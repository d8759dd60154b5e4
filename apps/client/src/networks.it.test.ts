import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BadDay } from './testing/bad-days.ts'

const SLEEP_MS = 5_000

it('goes on by TCP when the computer wakes in another network, whose firewall drops UDP', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-networks-'))
  {
    await using day = await BadDay.open(folder)
    const both = await day.fallAsleepBothWays('moved', { mebibytes: 32, share: 1 / 4 })
    const done = both.map(({ journey }) => journey.program.progress('bytesDone'))
    await day.network.moveTo('office')
    await day.network.blockUdp()
    await sleep(SLEEP_MS)
    for (const { journey } of both) journey.program.wake()
    for (const [at, { direction, file, journey }] of both.entries()) {
      expect(await journey.program.exitCode(), direction).toBe(0)
      expect(journey.mode, direction).toBe('tcp')
      expect(day.isWhole(direction, file), direction).toBe(true)
      // Nothing that was acknowledged went again: the last connection moved what was left. What an earlier one
      // gave to the dead line is no loss of anybody's.
      expect(journey.program.progress('bytesMoved')).toBeLessThanOrEqual(file.bytes.length - (done[at] ?? 0))
    }
  }
  rmSync(folder, { recursive: true, force: true })
})
