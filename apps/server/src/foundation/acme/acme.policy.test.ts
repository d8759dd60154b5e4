import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../../kernel/setting.ts'
import { isOrderDue, nextTry, renewalTime, settingsId, type InForce } from './acme.policy.ts'
import { ACME_SETTINGS, wantedNames } from './acme.settings.ts'
import type { AcmeState } from './acme.store.ts'

const DAY = 24 * 3_600_000
const MINUTE = 60_000
const settings = { ...defaultsOf(ACME_SETTINGS), 'acme.switch': 1, 'acme.domains': 'a.example.org' } as const
const fresh: AcmeState = {
  ...{ wanted_at: 0, started_at: 0, tried_at: 0, failures: 0, reason: '', words: '' },
  settings_id: '',
}
const inForce: InForce = { source: 'acme', names: ['a.example.org'], notBefore: 0, notAfter: 90 * DAY }

describe('when a certificate is ordered', () => {
  it('is at once without one, in place of one that signed itself, and for other names', () => {
    const due = (held: InForce | undefined) => renewalTime({ settings, state: fresh, inForce: held })
    expect(due(undefined)).toBe(0)
    expect(due({ ...inForce, source: 'self-signed' })).toBe(0)
    expect(due({ ...inForce, names: ['b.example.org'] })).toBe(0)
    expect(due({ ...inForce, names: ['a.example.org', 'b.example.org'] })).toBe(0)
  })

  it('is a third of its life before its end, also for one that somebody uploaded for other names', () => {
    const uploaded: InForce = { ...inForce, source: 'uploaded', names: ['b.example.org'] }
    expect(renewalTime({ settings, state: fresh, inForce })).toBe(60 * DAY)
    expect(renewalTime({ settings, state: fresh, inForce: uploaded })).toBe(60 * DAY)
    expect(isOrderDue({ settings, state: fresh, inForce }, 60 * DAY - 1)).toBe(false)
    expect(isOrderDue({ settings, state: fresh, inForce }, 60 * DAY)).toBe(true)
    expect(isOrderDue({ settings: { ...settings, 'acme.switch': 0 }, state: fresh, inForce }, 60 * DAY)).toBe(false)
  })

  it('is not again and again where the authority signs for more names than it was asked for', () => {
    const state: AcmeState = { ...fresh, tried_at: 1000, settings_id: settingsId(settings) }
    const wider: InForce = { ...inForce, names: ['a.example.org', 'www.a.example.org'] }
    expect(isOrderDue({ settings, state, inForce: wider }, 2000)).toBe(false)
    expect(isOrderDue({ settings, state, inForce: wider }, 60 * DAY)).toBe(true)
    // Other domains are another order, and so is the next try of one that failed.
    const others = { ...settings, 'acme.domains': 'c.example.org' }
    expect(isOrderDue({ settings: others, state, inForce: wider }, 2000)).toBe(true)
    expect(isOrderDue({ settings, state: { ...state, failures: 1 }, inForce: wider }, DAY)).toBe(true)
  })

  it('is ever later after failures, a day at most, and at once with other settings or when somebody asks', () => {
    const failed = (failures: number): AcmeState => {
      return { ...fresh, failures, tried_at: 1000, settings_id: settingsId(settings) }
    }
    expect([1, 2, 3, 4].map((failures) => (nextTry(settings, failed(failures)) - 1000) / MINUTE)).toEqual([
      15, 30, 60, 120,
    ])
    expect(nextTry(settings, failed(1000)) - 1000).toBe(DAY)
    const standing = { settings, state: failed(1), inForce: undefined }
    expect(isOrderDue(standing, 1000 + 15 * MINUTE - 1)).toBe(false)
    expect(isOrderDue(standing, 1000 + 15 * MINUTE)).toBe(true)
    expect(isOrderDue({ ...standing, settings: { ...settings, 'acme.contact': 'a@example.org' } }, 1001)).toBe(true)
    expect(isOrderDue({ ...standing, state: { ...failed(1), wanted_at: 1 } }, 1001)).toBe(true)
  })

  it('takes names as people write lists of them, each once', () => {
    expect(wantedNames(' A.example.org,b.example.org;\n a.example.org，c.example.org ')).toEqual([
      'a.example.org',
      'b.example.org',
      'c.example.org',
    ])
    expect(wantedNames(' , ')).toEqual([])
  })
})
