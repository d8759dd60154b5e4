import { expect, it } from 'vitest'
import { guessLinks } from './testing/guess-campaign.ts'

it('a million guesses by a thousand addresses open no link, and guests who know theirs come in', async () => {
  const tally = await guessLinks({ guesses: 1_000_000, addresses: 1_000 })
  process.stdout.write(`${JSON.stringify(tally)}\n`)
  expect(tally).toMatchObject({ through: 0, honestRefused: [] })
})
