import { secureRandom } from '@godwit/base'
import { EDITION_NAMES, isLicenceCode, LICENCE_CODE_LENGTHS } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  licenceCodeHash,
  machineCodeOf,
  newLicenceCode,
  readLicence,
  requireCode,
  requireUsable,
} from './licence.file.ts'
import { readDamagedLicences } from './testing/damaged-licences.ts'
import { CODE, licenceBody, openIssuer } from './testing/issuers.ts'

const issuer = openIssuer()
const HERE = { now: 1_000_000, machineCode: machineCodeOf('01'.repeat(16)) }
const reason = (code: string) => ({ code: 'LICENCE_INVALID', details: { field: 'file', reason: code } })
const thrownBy = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe('a licence file', () => {
  it('says what was signed, whatever that is', () => {
    const limit = fc.option(fc.integer({ min: 1 }), { nil: null })
    fc.assert(
      fc.property(
        fc.constantFrom(...EDITION_NAMES),
        fc.string({ maxLength: 200, unit: 'grapheme' }).filter((text) => text.length <= 200),
        limit,
        (edition, holder, users) => {
          const body = licenceBody({ edition, holder: holder.toWellFormed(), limits: { users } })
          expect(readLicence(issuer.issue(body), issuer.issuerKey)).toEqual(body)
        },
      ),
    )
  })

  it('survives the line ends and blank lines of a mail', () => {
    const text = `\r\n${issuer.issue().replaceAll('\n', '\r\n\r\n')}  `
    expect(readLicence(text, issuer.issuerKey).holder).toBe('Example Ltd')
  })

  it('is refused with the reason', () => {
    const other = openIssuer()
    const text = issuer.issue()
    expect(thrownBy(() => readLicence(text, ''))).toMatchObject(reason('no-issuer'))
    expect(thrownBy(() => readLicence(text, other.issuerKey))).toMatchObject(reason('signature'))
    expect(thrownBy(() => readLicence(text.slice(0, -40), issuer.issuerKey))).toMatchObject(reason('form'))
    expect(thrownBy(() => readLicence('hello', issuer.issuerKey))).toMatchObject(reason('form'))
    expect(thrownBy(() => readLicence('x'.repeat(20_000), issuer.issuerKey))).toMatchObject(reason('form'))
  })

  it('may be used by its own installation in its own time alone', () => {
    const machine = HERE.machineCode
    expect(() => requireUsable(licenceBody({ machine, expiresAt: HERE.now + 1 }), HERE)).not.toThrow()
    expect(thrownBy(() => requireUsable(licenceBody({ machine: 'A'.repeat(16) }), HERE))).toMatchObject(
      reason('machine'),
    )
    expect(thrownBy(() => requireUsable(licenceBody({ startsAt: HERE.now + 1 }), HERE))).toMatchObject(
      reason('not-started'),
    )
    expect(thrownBy(() => requireUsable(licenceBody({ expiresAt: HERE.now }), HERE))).toMatchObject({
      code: 'LICENCE_EXPIRED',
    })
  })
})

describe('500 damaged licence files', () => {
  it('each gets a code, and none says anything but what was signed', () => {
    const { sound, read, codes } = readDamagedLicences(500, 13)
    for (const licence of read) expect(licence).toEqual(sound)
    expect([...codes.keys()].toSorted()).toEqual(['LICENCE_INVALID form', 'LICENCE_INVALID signature', 'sound'])
  })
})

describe('an activation code', () => {
  it.each(LICENCE_CODE_LENGTHS)('of %i characters is one, and opens its own licence', (length) => {
    const code = newLicenceCode(secureRandom, length)
    expect(isLicenceCode(code)).toBe(true)
    const licence = licenceBody()
    expect(() => requireCode({ ...licence, codeHash: licenceCodeHash(licence.id, code) }, code)).not.toThrow()
  })

  it('is read in upper and lower case', () => {
    expect(() => requireCode(licenceBody(), CODE.toLowerCase())).not.toThrow()
  })

  it.each([
    ['too short', CODE.slice(1), 'LICENCE_CODE_FORMAT'],
    ['with a hyphen', `${CODE.slice(0, 15)}-`, 'LICENCE_CODE_FORMAT'],
    ['of another licence', CODE.replace('7', '8'), 'LICENCE_CODE_UNSUPPORTED'],
  ])('%s is refused at its field', (_, code, name) => {
    expect(thrownBy(() => requireCode(licenceBody(), code))).toMatchObject({ code: name, details: { field: 'code' } })
  })
})
