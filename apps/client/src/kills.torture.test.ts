import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { expect, it } from 'vitest'
import { ClientSite } from './testing/client-site.ts'
import { type KilledSide, MOST_AGAIN_BYTES, runOverKills } from './testing/kills.ts'

const KILLS = Number(process.env['KILLS'] ?? 100)
/** In each direction; one more for each that ends before its kills came. */
const TRANSFERS = 20
/** Of one transfer. With more of them, one that began anew could pass for one that went on. */
const KILLS_MOST = 4
const SIDES: readonly KilledSide[] = ['client', 'server', 'both']
const LARGE = 96 * MiB
const RATE = ['--rate', '80M']

it('loses and spoils nothing over many kills of server, client and both, in both directions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-kills-'))
  await using site = await ClientSite.open(folder)
  const content = (name: string): Buffer => createHash('shake256', { outputLength: LARGE }).update(name).digest()
  let kills = 0
  let again = 0
  let mostAgain = 0
  for (let transfer = 0; transfer < TRANSFERS || kills < KILLS; transfer++) {
    const name = `file-${transfer}.bin`
    const bytes = content(name)
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    for (const each of [from, to]) mkdirSync(each, { recursive: true })
    writeFileSync(join(from, name), bytes)
    const [up, down] = [
      ['up', join(from, name), '/', ...RATE],
      ['down', `/${name}`, to, ...RATE],
    ] as const
    for (const [at, words] of [up, down].entries()) {
      const until = Math.min(KILLS, Math.ceil(((2 * transfer + at + 1) * KILLS) / (2 * TRANSFERS)))
      const count = Math.min(KILLS_MOST, until - kills)
      const sides = Array.from({ length: count }, (_, next) => SIDES[(kills + next) % SIDES.length] ?? 'both')
      const round = await runOverKills(sides, {
        start: () => site.client(...words),
        restartServer: () => site.restart(),
      })
      const sentAgain = Math.max(0, round.movedBytes - LARGE)
      expect(sentAgain).toBeLessThanOrEqual(round.kills * MOST_AGAIN_BYTES)
      kills += round.kills
      again += sentAgain
      mostAgain = Math.max(mostAgain, sentAgain / Math.max(1, round.kills))
    }
    expect(readFileSync(join(to, name)).equals(bytes), name).toBe(true)
    for (const each of [from, to]) rmSync(each, { recursive: true })
  }
  expect(kills).toBe(KILLS)
  const figures = { kills, againMiB: again / MiB, mostAgainPerKillMiB: mostAgain / MiB }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  rmSync(folder, { recursive: true, force: true })
}, 3_600_000)
