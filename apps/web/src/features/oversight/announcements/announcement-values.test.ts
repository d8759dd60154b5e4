import { describe, expect, it } from 'vitest'
import { localMoment, momentIn } from '../../../lib/local-moment.ts'
import { audienceIn, isNobody, NEW_ANNOUNCEMENT, NOBODY, textOf, wantedOf } from './announcement-values.ts'

describe('a notice in its form', () => {
  it('is for nobody until somebody is chosen', () => {
    expect(textOf(NOBODY)).toBe('')
    expect(isNobody(audienceIn(''))).toBe(true)
    const mei = { ...NOBODY, users: [{ id: 'a', name: 'Mei' }] }
    expect(audienceIn(textOf(mei))).toEqual(mei)
    expect(wantedOf({ ...NEW_ANNOUNCEMENT, audience: textOf(mei) }).audience.users).toEqual(['a'])
  })

  it('for everybody names nobody', () => {
    const audience = textOf({ ...NOBODY, all: true, groups: [{ id: 3, name: 'Design' }] })
    expect(wantedOf({ ...NEW_ANNOUNCEMENT, audience }).audience).toEqual({ ...NOBODY, all: true })
  })

  it('is sent now unless it is planned, at the minute of the browser', () => {
    const at = new Date(2026, 10, 23, 20, 15).getTime()
    expect(localMoment(at)).toBe('2026-11-23T20:15')
    expect(momentIn('2026-11-23T20:15')).toBe(at)
    expect(wantedOf({ ...NEW_ANNOUNCEMENT, sendAt: localMoment(at) }).sendAt).toBe(0)
    expect(wantedOf({ ...NEW_ANNOUNCEMENT, isPlanned: 'on', sendAt: localMoment(at) }).sendAt).toBe(at)
  })
})
