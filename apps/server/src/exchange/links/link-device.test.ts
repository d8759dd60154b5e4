import { webcrypto } from 'node:crypto'
import os from 'node:os'
import fs from 'node:fs'
import path from 'node:path'
import { fakeClock, secureRandom } from '@godwit/base'
import { afterAll, describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { newChallenge, provenDevice } from './link-device.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-device-'))
const clock = fakeClock()
const deps = { vault: openVault(folder, secureRandom), clock, random: secureRandom }
const LINK = 'f'.repeat(32)

/** What a browser does. */
async function device() {
  const { publicKey, privateKey } = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  const key = Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey)).toString('base64url')
  return async (challenge: string, link = LINK) => {
    const text = Buffer.from(`godwit-link-device:v1\n${link}\n${challenge}`)
    const signature = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, text)
    return { key, challenge, signature: Buffer.from(signature).toString('base64url') }
  }
}

describe('the device of a link', () => {
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  it('is known by its key, which it proves to have', async () => {
    const [phone, laptop] = [await device(), await device()]
    const first = provenDevice(deps, LINK, await phone(newChallenge(deps, LINK)))
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(provenDevice(deps, LINK, await phone(newChallenge(deps, LINK)))).toBe(first)
    expect(provenDevice(deps, LINK, await laptop(newChallenge(deps, LINK)))).not.toBe(first)
  })

  it('proves nothing with an answer for another link, an old one, a made up challenge, or no key', async () => {
    const phone = await device()
    const other = 'e'.repeat(32)
    expect(provenDevice(deps, LINK, await phone(newChallenge(deps, other)))).toBeUndefined()
    expect(provenDevice(deps, LINK, await phone(newChallenge(deps, LINK), other))).toBeUndefined()
    expect(provenDevice(deps, LINK, await phone(`${clock.now() + 60_000}.00.00`))).toBeUndefined()
    const late = await phone(newChallenge(deps, LINK))
    clock.advance(5 * 60_000)
    expect(provenDevice(deps, LINK, late)).toBeUndefined()
    const good = await phone(newChallenge(deps, LINK))
    for (const wrong of [{ key: 'AAAA' }, { signature: '' }, { signature: 'AAAA' }, { challenge: '' }])
      expect(provenDevice(deps, LINK, { ...good, ...wrong })).toBeUndefined()
  })
})
