import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { expect, it } from 'vitest'
import { ClientSite } from './testing/client-site.ts'
import { type KilledSide, MOST_AGAIN_BYTES, runOverKills } from './testing/kills.ts'

const KILLS = Number(process.env['KILLS'] ?? 100)
/** Of one transfer; a new one begins after these. */
const KILLS_PER_TRANSFER = 5
const SIDES: readonly KilledSide[] = ['client', 'server', 'both', 'server', 'client']
const LARGE = 40 * MiB
const RATE = ['--rate', '80M']

it('loses and spoils nothing over many kills of server, client and both, in both directions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-kills-'))
  await using site = await ClientSite.open(folder)
  const content = (name: string): Buffer => createHash('shake256', { outputLength: LARGE }).update(name).digest()
  let kills = 0
  let again = 0
  let mostAgain = 0
  for (let transfer = 0; kills < KILLS; transfer++) {
    const name = `file-${transfer}.bin`
    const bytes = content(name)
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    for (const each of [from, to]) mkdirSync(each, { recursive: true })
    writeFileSync(join(from, name), bytes)
    for (const words of [
      ['up', join(from, name), '/', ...RATE],
      ['down', `/${name}`, to, ...RATE],
    ]) {
      const sides = SIDES.slice(0, Math.min(KILLS_PER_TRANSFER, KILLS - kills))
      const round = await runOverKills(sides, {
        start: () => site.client(...words),
        restartServer: () => site.restart(),
      })
      kills += round.kills
      again += Math.max(0, round.movedBytes - LARGE)
      mostAgain = Math.max(mostAgain, (round.movedBytes - LARGE) / Math.max(1, round.kills))
      expect(round.movedBytes - LARGE).toBeLessThan(round.kills * MOST_AGAIN_BYTES)
    }
    expect(readFileSync(join(to, name)).equals(bytes), name).toBe(true)
    for (const each of [from, to]) rmSync(each, { recursive: true })
  }
  const figures = { kills, againMiB: again / MiB, mostAgainPerKillMiB: mostAgain / MiB }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  rmSync(folder, { recursive: true, force: true })
}, 3_600_000)
