import { generateKeyPairSync, sign } from 'node:crypto'
import type { ClientRelease } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { openRelease, packageFor, publicKeyOf, signRelease } from './signing.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519').privateKey
const key = publicKeyOf(privateKey)
const PACKAGE = {
  type: 'tgz',
  platform: 'linux-x64',
  file: 'godwit-client.tgz',
  size: 9,
  sha256: 'a'.repeat(64),
} as const
const release: ClientRelease = { format: 1, version: '1.2.0', minVersion: '1.0.0', packages: [PACKAGE] }
const own = { version: '1.1.0', form: 'tgz', platform: 'linux-x64' }

describe('a signed release', () => {
  it('is what its makers signed, with any of the keys that count', () => {
    const signed = signRelease(release, privateKey)
    expect(openRelease(signed, [publicKeyOf(stranger), key])).toEqual(release)
  })

  it('is refused when a letter of it differs, another key signed it, or no key counts', () => {
    const signed = signRelease(release, privateKey)
    const altered = { ...signed, release: signed.release.replace('1.2.0', '1.3.0') }
    const refused = [
      [altered, [key]],
      [signRelease(release, stranger), [key]],
      [signed, []],
      [signed, ['', 'x'.repeat(43)]],
      [{ ...signed, signature: '' }, [key]],
    ] as const
    for (const [given, keys] of refused)
      expect(() => openRelease(given, keys)).toThrow(expect.objectContaining({ reason: 'untrusted' }))
  })

  it('is refused when the key signed the same text for another purpose', () => {
    const { release: text } = signRelease(release, privateKey)
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
    expect(() => openRelease({ release: text, signature }, [key])).toThrow(
      expect.objectContaining({ reason: 'untrusted' }),
    )
  })

  it('of a form that this client does not know is refused', () => {
    const later = { ...release, format: 2 } as unknown as ClientRelease
    expect(() => openRelease(signRelease(later, privateKey), [key])).toThrow(
      expect.objectContaining({ reason: 'untrusted' }),
    )
  })
})

describe('the package for a client', () => {
  it('is that of its form and system', () => {
    expect(packageFor(release, own)).toBe(PACKAGE)
    for (const other of [{ form: 'deb' }, { platform: 'linux-arm64' }])
      expect(() => packageFor(release, { ...own, ...other })).toThrow(expect.objectContaining({ reason: 'failed' }))
  })

  it.each(['1.2.0', '1.2.1', '2.0.0'])('is never one that %s would be set back to', (version) => {
    expect(() => packageFor(release, { ...own, version })).toThrow(expect.objectContaining({ reason: 'not-newer' }))
  })

  it('is installed by hand where the client is older than it may be', () => {
    expect(() => packageFor(release, { ...own, version: '0.9.9' })).toThrow(
      expect.objectContaining({ reason: 'by-hand' }),
    )
  })
})
