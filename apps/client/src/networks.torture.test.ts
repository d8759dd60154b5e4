import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadDay, testFile } from './testing/bad-days.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const MAX_GAP_MS = 2000
const SLEEP_MS = Number(process.env['SLEEP_S'] ?? 600) * 1000
/** What was under way and not acknowledged when the computer fell asleep. */
const MOST_AGAIN_MIB = 16

describe('the desktop client on a computer with a network of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-networks-'))
  let day: BadDay

  beforeAll(async () => {
    day = await BadDay.open(folder)
  })
  afterAll(async () => {
    await day[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('sleeps for ten minutes, wakes in another network and goes on, in both directions', async () => {
    const both = await day.fallAsleepBothWays('asleep', { mebibytes: 96, share: 1 / 3 })
    const acknowledged = both.map(({ journey }) => journey.program.progress('bytesDone'))
    await day.network.moveTo('office')
    await sleep(SLEEP_MS)
    const wokenAt = performance.now()
    for (const { journey } of both) journey.program.wake()
    await Promise.all(
      both.map(async ({ direction, file, journey }, at) => {
        await journey.until(() => journey.program.progress('bytesDone') > (acknowledged[at] ?? 0) + MiB)
        const waitedMs = Math.round(performance.now() - wokenAt)
        expect(await journey.program.exitCode(), direction).toBe(0)
        expect(day.isWhole(direction, file), direction).toBe(true)
        const againMiB = (journey.program.movedBytes - file.bytes.length) / MiB
        process.stdout.write(`${JSON.stringify({ direction, sleptS: SLEEP_MS / 1000, waitedMs, againMiB })}\n`)
        expect(againMiB).toBeLessThanOrEqual(MOST_AGAIN_MIB)
      }),
    )
  })

  it.each(['up', 'down'] as const)(
    '%s: bytes stand still for 2 s at most when UDP is dropped half way',
    async (way) => {
      const gaps: Array<Readonly<Record<'line' | 'acknowledged' | 'stored', number>>> = []
      for (let round = 0; round < ROUNDS; round++) {
        const file = testFile(`${way}-${round}.bin`, 96)
        if (way === 'down') await day.bring(file)
        const journey = day.begin(way, file)
        await journey.untilOverUdp()
        await journey.untilShare(1 / 3)
        const line = journey.watchLine()
        const blockedAt = performance.now()
        const unblock = await day.network.blockUdp()
        await journey.untilShare(2 / 3)
        const standstill = (key: string): number => Math.round(journey.program.longestStandstill(key, blockedAt))
        gaps.push({ line: await line.stop(), acknowledged: standstill('bytesMoved'), stored: standstill('bytesDone') })
        expect(journey.mode).toBe('tcp')
        expect(await journey.program.exitCode()).toBe(0)
        expect(day.isWhole(way, file)).toBe(true)
        await unblock()
      }
      process.stdout.write(`${JSON.stringify({ way, gaps })}\n`)
      for (const { line, acknowledged } of gaps) {
        expect(line).toBeLessThan(MAX_GAP_MS)
        expect(acknowledged).toBeLessThan(MAX_GAP_MS)
      }
    },
  )
})
