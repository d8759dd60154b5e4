import { describe, expect, it } from 'vitest'
import { decodedText } from './plain-text.ts'

describe('a text is read', () => {
  it.each([
    ['UTF-8', Buffer.from('梅 hé')],
    ['UTF-8 with a mark', Buffer.from('\uFEFF梅 hé')],
    ['UTF-16 with a mark', Buffer.from('\uFEFF梅 hé', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\uFEFF梅 hé', 'utf16le').swap16()],
  ])('as %s', (_name, bytes) => expect(decodedText(bytes)).toBe('梅 hé'))
  it('as UTF-16 without a mark, by its zeros', () => {
    const plain = 'a line of Latin text'
    expect(decodedText(Buffer.from(plain, 'utf16le'))).toBe(plain)
    expect(decodedText(Buffer.from(plain, 'utf16le').swap16())).toBe(plain)
  })
  it('as GB 18030 where it is no UTF-8', () => {
    expect(decodedText(Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3))).toBe('你好')
  })
})
