import { BRANDING_ASSETS, BRANDING_RULES } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { icoOf, jpegOf, pngOf } from '../../testing/images.ts'
import { imageFacts, requireImage } from './images.policy.ts'

const size = fc.integer({ min: 1, max: 4_000 })

describe('what an image says of itself', () => {
  it('is its kind and its size', () => {
    fc.assert(
      fc.property(size, size, (width, height) => {
        expect(imageFacts(pngOf(width, height))).toEqual({ type: 'png', width, height })
        expect(imageFacts(jpegOf(width, height))).toEqual({ type: 'jpeg', width, height })
      }),
    )
    expect(imageFacts(icoOf([16, 64, 32]))).toEqual({ type: 'ico', width: 64, height: 64 })
    expect(imageFacts(icoOf([0]))).toMatchObject({ width: 256 })
  })

  it('is read within its bytes, however it is cut or changed', () => {
    const images = [pngOf(10, 10), jpegOf(10, 10), icoOf([16, 32])]
    fc.assert(
      fc.property(fc.constantFrom(...images), fc.nat(60), fc.nat(), fc.nat(255), (image, length, at, byte) => {
        const changed = Uint8Array.from(image.subarray(0, length))
        if (changed.length > 0) changed[at % changed.length] = byte
        expect(() => imageFacts(changed)).not.toThrow()
      }),
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void imageFacts(bytes)))
  })
})

describe('an image of the site', () => {
  it.each(BRANDING_ASSETS)('%s may be as large as its screen and no larger', (asset) => {
    const { maxPixels, types } = BRANDING_RULES[asset]
    const [width, height] = maxPixels
    expect(types).toContain(requireImage(asset, pngOf(width, height)).type)
    for (const bytes of [pngOf(width + 1, height), pngOf(width, height + 1), pngOf(0, 1)]) {
      expect(() => requireImage(asset, bytes)).toThrow(AppError)
    }
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG behind a byte order mark', '\uFEFF<?xml version="1.0"?><svg/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['GIF', 'GIF89a\u0001\0\u0001\0'],
    ['nothing', ''],
  ])('is never %s', (_, text) => {
    for (const asset of BRANDING_ASSETS) {
      expect(() => requireImage(asset, Buffer.from(text))).toThrow(
        expect.objectContaining({
          code: 'BRANDING_IMAGE_INVALID',
          details: { field: asset, reason: 'type', types: BRANDING_RULES[asset].types },
        }),
      )
    }
  })

  it('is no more bytes than its rule allows', () => {
    const { maxBytes } = BRANDING_RULES.logo
    const heavy = Buffer.concat([pngOf(10, 10), Buffer.alloc(maxBytes)])
    expect(() => requireImage('logo', heavy)).toThrow(
      expect.objectContaining({ details: { field: 'logo', reason: 'size', maxBytes } }),
    )
  })
})
