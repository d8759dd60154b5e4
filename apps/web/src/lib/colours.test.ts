import { seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { brandTwins, contrast } from './colours.ts'

const CANVAS = '#F7F7F7'
const HOVER = '#F5F5F5'
const WHITE = '#FFFFFF'
const DARK_SURFACE = '#1F1F1F'

function randomColours(count: number): string[] {
  const bytes = seededRandom(7).fill(new Uint8Array(count * 3))
  return Array.from({ length: count }, (_, at) =>
    [...bytes.slice(at * 3, at * 3 + 3)].reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '#'),
  )
}

describe('colours derived from the primary one', () => {
  it('keeps the default brand exact, and gives it twins that pass', () => {
    const twins = brandTwins('#FD5C1F')
    expect(twins.brand).toBe('#FD5C1F')
    expect(contrast(twins.brand, WHITE)).toBeLessThan(3.2)
    expect(contrast(twins.solid, WHITE)).toBeGreaterThanOrEqual(4.5)
  })

  it.each([...randomColours(200), '#FFFF00', '#FFFFFF', '#000000', '#00FF00', '#0000FF'])(
    'passes AA in every role with %s',
    (colour) => {
      const twins = brandTwins(colour)
      for (const solid of [twins.solid, twins.solidHover, twins.solidActive]) {
        expect(contrast(solid, WHITE)).toBeGreaterThanOrEqual(4.5)
      }
      for (const ground of [WHITE, CANVAS, HOVER, twins.selected]) {
        expect(contrast(twins.link, ground)).toBeGreaterThanOrEqual(4.5)
        expect(contrast('#6B6B6B', twins.selected)).toBeGreaterThanOrEqual(4.5)
      }
      for (const ground of [DARK_SURFACE, twins.selectedDark]) {
        expect(contrast(twins.brandDark, ground)).toBeGreaterThanOrEqual(4.5)
      }
      expect(contrast('#9A9A9A', twins.selectedDark)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(DARK_SURFACE, twins.brandDark)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(twins.solid, CANVAS)).toBeGreaterThanOrEqual(3)
    },
  )

  it('takes the default for what is no colour', () => {
    expect(brandTwins('url(x)').brand).toBe('#FD5C1F')
    expect(brandTwins('#abc').brand).toBe('#AABBCC')
  })
})
