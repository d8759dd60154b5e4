import { randomBelow, seededRandom, type Random } from '@godwit/base'
import { AppError } from '../../../kernel/errors.ts'
import { checkPair, warningsOf, type CertificatePair } from '../certificates.policy.ts'
import { makeSelfSigned } from '../self-signed.ts'

const NOW = Date.UTC(2026, 10, 23)

/** @returns the codes that so many damaged pairs got; `sound` for those without one, and the text of whatever is no code */
export async function codesOfDamagedPairs(count: number, seed: number): Promise<ReadonlySet<string>> {
  const random = seededRandom(seed)
  const serial = new Uint8Array(16).fill(1)
  const sound = await makeSelfSigned({ names: ['a.example.org'], days: 30, now: NOW, serial })
  return new Set(Array.from({ length: count }, () => codeOf(mutated(sound, random))))
}

function codeOf(pair: CertificatePair): string {
  try {
    warningsOf(checkPair(pair, NOW).pem, { now: NOW, siteHost: 'a.example.org' })
    return 'sound'
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown)
  }
}

/** One of the two, or both, with damage: bytes of the DER, characters of the text, blocks lost, doubled or of another name. */
function mutated(pair: CertificatePair, random: Random): CertificatePair {
  const side = randomBelow(random, 3)
  return {
    certificate: side === 1 ? pair.certificate : damaged(pair.certificate, random),
    key: side === 0 ? pair.key : damaged(pair.key, random),
  }
}

function damaged(pem: string, random: Random): string {
  switch (randomBelow(random, 6)) {
    case 0:
    case 1:
      return withDamagedBytes(pem, random)
    case 2:
      return pem.slice(0, randomBelow(random, pem.length))
    case 3:
      return pem + damaged(pem, random)
    case 4:
      return pem.replaceAll(
        /PRIVATE KEY|CERTIFICATE/g,
        ['EC PRIVATE KEY', 'RSA PRIVATE KEY', 'X'][randomBelow(random, 3)] ?? '',
      )
    default:
      return [...pem].with(randomBelow(random, pem.length), String.fromCodePoint(randomBelow(random, 256))).join('')
  }
}

function withDamagedBytes(pem: string, random: Random): string {
  const lines = pem.trimEnd().split('\n')
  const der = Buffer.from(lines.slice(1, -1).join(''), 'base64')
  for (let hits = randomBelow(random, 4); hits >= 0; hits--)
    der[randomBelow(random, der.length)] = randomBelow(random, 256)
  const cut = randomBelow(random, 4) === 0 ? der.subarray(0, randomBelow(random, der.length)) : der
  return [lines[0], ...(cut.toString('base64').match(/.{1,64}/g) ?? []), lines.at(-1), ''].join('\n')
}
