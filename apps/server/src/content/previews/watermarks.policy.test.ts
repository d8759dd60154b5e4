import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markDay, markText, unknownPlaceholder } from './watermarks.policy.ts'
import { WATERMARK_SETTINGS } from './watermarks.settings.ts'

const mei = { account: 'mei', name: '梅', address: '192.0.2.7' }
const NOON = Date.UTC(2026, 10, 23, 12, 5, 59)

describe('the text of a watermark', () => {
  it('names who looks, when and from where', () => {
    expect(markText('{account} {name} {address} {time}', mei, NOON)).toBe('mei 梅 192.0.2.7 2026-11-23 12:05 UTC')
    expect(markText('Confidential', mei, NOON)).toBe('Confidential')
  })
  it('is one line whatever a person is called, and fills nothing in that stands in a name', () => {
    expect(markText('{name}|', { ...mei, name: 'a\nb\u202Ec {account}' }, NOON)).toBe('a b c {account}|')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const text = markText('{name}', { ...mei, name }, NOON)
        return text.length <= 64 && !/[\p{Cc}\p{Cs}\p{Cf}]/u.test(text)
      }),
    )
  })
  it.each([
    ['{account} {time}', undefined],
    ['{password}', 'password'],
    ['{}', ''],
    ['{ account }', ' account '],
    ['a } b {', undefined],
  ])('%s names %s, which stands for nothing', (text, unknown) => expect(unknownPlaceholder(text)).toBe(unknown))
})

describe('what is made for a mark', () => {
  it('serves one person for one day', () => {
    const key = (viewer = mei, now = NOON) => markDay('{account} {time}', viewer, now)
    expect(key(mei, NOON + 60_000)).toBe(key())
    expect(key(mei, NOON + 12 * 3_600_000)).not.toBe(key())
    expect(key({ ...mei, account: 'li' })).not.toBe(key())
    expect(key({ ...mei, address: '192.0.2.8' })).not.toBe(key())
  })
})

describe('the settings', () => {
  const check = (change: object): void =>
    WATERMARK_SETTINGS.check?.({
      ...{ 'watermark.on': 1, 'watermark.text': '', 'watermark.image': 0 },
      ...{ 'watermark.position': 0, 'watermark.opacity': 25, ...change },
    })
  it('ask for something to show', () => {
    expect(() => check({})).toThrow('PARAMETER_INVALID')
    expect(() => check({ 'watermark.text': ' ' })).toThrow('PARAMETER_INVALID')
    expect(() => check({ 'watermark.image': 1 })).not.toThrow()
    expect(() => check({ 'watermark.text': 'Draft' })).not.toThrow()
    expect(() => check({ 'watermark.on': 0 })).not.toThrow()
  })
  it('know the placeholders', () => {
    const { schema } = WATERMARK_SETTINGS.specs['watermark.text']
    expect(schema.safeParse('{account} {name} {time} {address}').success).toBe(true)
    expect(schema.safeParse('{user}').success).toBe(false)
  })
})
