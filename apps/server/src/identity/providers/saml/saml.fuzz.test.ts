import { describe, expect, it } from 'vitest'
import { readDamagedMessages, SAML_KINDS, strangeOutcomes } from './testing/damaged-messages.ts'

const COUNT = 10_000

describe('10,000 damaged messages of SAML providers', () => {
  it.each(SAML_KINDS)('%s prove only what was signed, or get a code', async (kind) => {
    const seed = Date.now() % 2 ** 31
    const outcomes = await readDamagedMessages(kind, COUNT, seed)
    expect(strangeOutcomes(outcomes), `seed ${seed}`).toEqual([])
    expect(outcomes.get('sound') ?? 0).toBeLessThan(COUNT / 2)
  })
})
