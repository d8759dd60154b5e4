import { expect, it } from 'vitest'
import { guessLinks } from './testing/guess-campaign.ts'

it('2,000 guesses at passwords and addresses of links open none, and guests who know theirs come in', async () => {
  const tally = await guessLinks({ guesses: 2_000, addresses: 50 })
  expect(tally).toMatchObject({ through: 0, honestRefused: [] })
  expect(tally.compared + tally.refused).toBeGreaterThanOrEqual(1_000)
  expect(tally.honest).toBeGreaterThan(0)
})
