import { describe, expect, it } from 'vitest'
import { readDamagedMessages, SAML_KINDS, strangeOutcomes } from './testing/damaged-messages.ts'

describe('messages of SAML providers', () => {
  it.each(SAML_KINDS)('that are damaged prove only what was signed, or get a code: %s', async (kind) => {
    const outcomes = await readDamagedMessages(kind, 120, 13)
    expect(strangeOutcomes(outcomes)).toEqual([])
    expect(outcomes.get('sound') ?? 0).toBeLessThan(60)
    expect(outcomes.get('sound') ?? 0).toBeGreaterThan(0)
  })
})
