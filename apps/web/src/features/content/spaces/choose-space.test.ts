import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseSpace, switchStep } from './choose-space.ts'

const SPACES = [{ id: 3 }, { id: 1 }, { id: 7 }]

describe('the space to work in', () => {
  it('is the requested one, then the current one, then the first', () => {
    expect(chooseSpace(SPACES, { requested: 7, current: 1 })).toBe(7)
    expect(chooseSpace(SPACES, { requested: 9, current: 1 })).toBe(1)
    expect(chooseSpace(SPACES, { requested: undefined, current: 9 })).toBe(3)
    expect(chooseSpace([], { requested: 1, current: 1 })).toBeUndefined()
  })

  it('is always one that the account may use', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(ids, fc.nat(10), fc.nat(10), (spaces, requested, current) => {
        const chosen = chooseSpace(
          spaces.map((id) => ({ id })),
          { requested, current },
        )
        expect(spaces).toContain(chosen)
      }),
    )
  })
})

describe('changing the space', () => {
  it('asks a client that can change first', () => {
    expect(switchStep({ spaceId: 7, client: { canChangeSpace: true } })).toBe('ask-client')
    expect(switchStep({ spaceId: 1, client: { canChangeSpace: true } })).toBe('ask-client')
  })

  it('is refused while an older client is connected, except for the default space', () => {
    expect(switchStep({ spaceId: 7, client: { canChangeSpace: false } })).toBe('refuse-old-client')
    expect(switchStep({ spaceId: 1, client: { canChangeSpace: false } })).toBe('show')
  })

  it('happens at once without a client', () => expect(switchStep({ spaceId: 7, client: undefined })).toBe('show'))
})
