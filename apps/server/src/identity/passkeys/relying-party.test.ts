import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relyingParty } from './relying-party.ts'

describe('the site of a passkey', () => {
  it('is the configured address, whatever page asks (T44)', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constant(undefined)), (origin) => {
        const site = relyingParty('https://files.example.org:8443/base', origin)
        expect(site).toEqual({ id: 'files.example.org', origin: 'https://files.example.org:8443' })
      }),
    )
  })
  it('is the page that asks where no address is configured', () => {
    expect(relyingParty('', 'https://files.example.org')).toMatchObject({ id: 'files.example.org' })
    expect(relyingParty('', 'http://localhost:8090')).toEqual({ id: 'localhost', origin: 'http://localhost:8090' })
  })
  it.each([
    'http://files.example.org',
    'https://192.0.2.7',
    'https://[2001:db8::1]',
    'http://127.0.0.1:8090',
    'null',
    '',
    undefined,
    'ftp://a.b',
  ])('%s has none', (origin) => {
    expect(() => relyingParty('', origin)).toThrow(expect.objectContaining({ code: 'PASSKEY_UNAVAILABLE' }))
  })
})
