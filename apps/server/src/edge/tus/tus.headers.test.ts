import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesIn, checkIn, concatIn, metadataIn } from './tus.headers.ts'

describe('tus headers', () => {
  it('take digits as a count of bytes and nothing else', () => {
    expect(bytesIn('0')).toBe(0)
    expect(bytesIn('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    for (const text of ['', '-1', '-0', '+1', '1e3', '0x10', '1.0', ' 1', '9007199254740992', '1, 1', 'NaN']) {
      expect(() => bytesIn(text)).toThrow('UPLOAD_SIZE_INVALID')
    }
  })

  it('give metadata back as it was sent', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.stringMatching(/^[\u0021-\u002b\u002d-\u007e]+$/), fc.string({ unit: 'binary' })), {
          selector: ([key]) => key,
        }),
        (pairs) => {
          const sent = pairs.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',')
          expect([...metadataIn(sent)]).toEqual(pairs.map(([key, value]) => [key, Buffer.from(value).toString()]))
        },
      ),
    )
  })

  it('refuse metadata that is malformed or says a key twice', () => {
    for (const text of ['no sir', 'a YQ== b', ',', 'a YQ==,', 'a YQ==,a YQ==', 'a /w==']) {
      expect(() => metadataIn(text)).toThrow('PARAMETER_INVALID')
    }
  })

  it('know four checksums', () => {
    expect(checkIn(undefined)).toBeUndefined()
    for (const text of ['sha1', 'sha1 ', 'sha3 AAAA', 'SHA1 AAAA', 'sha1 *']) {
      expect(() => checkIn(text)).toThrow('PARAMETER_INVALID')
    }
    const crc = checkIn('crc32 y/Q5Jg==')
    for (const chunk of ['1234', '56789']) crc?.update(Buffer.from(chunk))
    expect(crc?.matches()).toBe(true)
  })

  it('find the partial uploads of a final one', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)]
    expect(concatIn(undefined)).toBeUndefined()
    expect(concatIn('partial')).toEqual({ kind: 'partial' })
    const ids = concatIn(`final;/files/uploads/${a} https://host:1/files/uploads/${b}`)
    expect(ids).toEqual({ kind: 'final', ids: [a, b] })
    for (const text of ['final', 'final;', 'final;/files/uploads/../x', `final;/x ${a}`, 'PARTIAL', 'final; ']) {
      expect(() => concatIn(text)).toThrow('PARAMETER_INVALID')
    }
  })
})
