import { seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { checkPair, warningsOf, type CertificatePair } from './certificates.policy.ts'
import { makeSelfSigned } from './self-signed.ts'
import { mutated } from './testing/mutations.ts'

const NOW = Date.UTC(2026, 10, 23)
const COUNT = 10_000

describe('10,000 damaged certificates and keys', () => {
  it('each gets a code or is sound, and none breaks the checks', async () => {
    const seed = Date.now() % 2 ** 31
    const random = seededRandom(seed)
    const serial = new Uint8Array(16).fill(1)
    const sound = await makeSelfSigned({ names: ['a.example.org'], days: 30, now: NOW, serial })
    const codes = new Map<string, number>()
    for (let turn = 0; turn < COUNT; turn++) {
      const code = codeOf(mutated(sound, random))
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    expect(
      [...codes.keys()].filter((code) => !/^(?:sound|CERTIFICATE_\w+)$/.test(code)),
      `seed ${seed}`,
    ).toEqual([])
    expect(codes.size).toBeGreaterThan(3)
  })
})

function codeOf(pair: CertificatePair): string {
  try {
    warningsOf(checkPair(pair, NOW).pem, { now: NOW, siteHost: 'a.example.org' })
    return 'sound'
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown)
  }
}
