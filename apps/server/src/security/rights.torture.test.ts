import { expect, it } from 'vitest'
import { rightsCampaign } from './testing/rights-campaign.ts'

/** With `SEED` the same attempts come again, on each server in the same order. A folder for temporary files in memory (`TMPDIR`) makes it quicker. */
const ATTEMPTS = Number(process.env['ATTEMPTS'] ?? 1_000_000)
/** Servers side by side: while one answers, the answers of another are compared. */
const LANES = Number(process.env['LANES'] ?? 2)
/** Of one server with people of its own, who get other rights again and again. */
const SERVER = Math.min(20_000, Math.ceil(ATTEMPTS / LANES))
const TIMEOUT_MS = 36_000_000

it(
  `${ATTEMPTS} attempts through every door against a second implementation of the rules`,
  { timeout: TIMEOUT_MS },
  async () => {
    const first = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const begun = performance.now()
    const faults: string[] = []
    let [given, seed, attempts, changes, refusals] = [0, first, 0, 0, 0]
    const lane = async (): Promise<void> => {
      while (given < ATTEMPTS && faults.length === 0) {
        const count = Math.min(SERVER, ATTEMPTS - given)
        given += count
        const mine = seed++
        const result = await rightsCampaign(mine, 20, count)
        faults.push(...result.faults)
        attempts += result.attempts
        changes += result.changes
        refusals += result.refusals
        const seconds = Math.round((performance.now() - begun) / 1000)
        process.stdout.write(
          `seed ${mine}, ${result.attempts} attempts; from seed ${first}: ${attempts} attempts, ${changes} changes, ${refusals} refusals, ${faults.length} faults, ${seconds} s\n${result.faults.map((fault) => `${fault}\n`).join('')}`,
        )
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(faults.join('\n')).toBe('')
    expect(attempts).toBe(ATTEMPTS)
    // A campaign in which everything is refused, or nothing, would prove nothing.
    expect(changes).toBeGreaterThan(attempts / 40)
    expect(refusals).toBeGreaterThan(attempts / 40)
  },
)
