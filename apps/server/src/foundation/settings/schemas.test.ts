import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWebAddress, onOff } from './schemas.ts'

describe('a switch', () => {
  it.each([
    ['on', 1],
    ['TRUE', 1],
    ['1', 1],
    [true, 1],
    ['off', 0],
    ['no', 0],
    [false, 0],
    [0, 0],
    [undefined, 0],
  ])('reads %j as %i', (text, value) => {
    expect(onOff(0).parse(text)).toBe(value)
  })
})

describe('a link', () => {
  it('leads to web pages only, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `javascript:${text}`),
        ),
        (text) => {
          expect(isWebAddress(text)).toBe(URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol))
        },
      ),
    )
  })
})
