import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openedLength, SEALED_BODY, sealedInfo, sealedLength, sealedNonce } from './sealed-bodies.ts'

describe('the length of a sealed body', () => {
  it('returns the length of what is in it', () => {
    fc.assert(fc.property(fc.nat(2 ** 30), (bytes) => openedLength(sealedLength(bytes)) === bytes))
  })
  it('is none when a chunk or its tag is cut', () => {
    const { chunkBytes, saltBytes, tagBytes } = SEALED_BODY
    for (const bytes of [
      0,
      saltBytes,
      saltBytes + tagBytes - 1,
      sealedLength(chunkBytes) + 1,
      sealedLength(chunkBytes) + tagBytes,
    ])
      expect(openedLength(bytes), String(bytes)).toBeUndefined()
  })
})

describe('what a sealed body is bound to', () => {
  it('is its request', () => {
    expect(sealedInfo({ uploadId: '01a1', offset: 0 })).toBe('godwit sealed body v1 part 01a1 0')
    expect(sealedInfo('pack')).toBe('godwit sealed body v1 pack')
  })
  it('counts its chunks and marks the last', () => {
    expect([...sealedNonce(258, false)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0])
    expect([...sealedNonce(0, true)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })
})
