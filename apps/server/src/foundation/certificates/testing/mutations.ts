import type { Random } from '@godwit/base'
import type { CertificatePair } from '../certificates.policy.ts'

/** One of the two, or both, with damage: bytes of the DER, characters of the text, blocks lost, doubled or of another name. */
export function mutated(pair: CertificatePair, random: Random): CertificatePair {
  const side = below(random, 3)
  return {
    certificate: side === 1 ? pair.certificate : damaged(pair.certificate, random),
    key: side === 0 ? pair.key : damaged(pair.key, random),
  }
}

function damaged(pem: string, random: Random): string {
  switch (below(random, 6)) {
    case 0:
    case 1:
      return withDamagedBytes(pem, random)
    case 2:
      return pem.slice(0, below(random, pem.length))
    case 3:
      return pem + damaged(pem, random)
    case 4:
      return pem.replaceAll(
        /PRIVATE KEY|CERTIFICATE/g,
        ['EC PRIVATE KEY', 'RSA PRIVATE KEY', 'X'][below(random, 3)] ?? '',
      )
    default:
      return [...pem].with(below(random, pem.length), String.fromCodePoint(below(random, 256))).join('')
  }
}

function withDamagedBytes(pem: string, random: Random): string {
  const lines = pem.trimEnd().split('\n')
  const der = Buffer.from(lines.slice(1, -1).join(''), 'base64')
  for (let hits = below(random, 4); hits >= 0; hits--) der[below(random, der.length)] = below(random, 256)
  const cut = below(random, 4) === 0 ? der.subarray(0, below(random, der.length)) : der
  return [lines[0], ...(cut.toString('base64').match(/.{1,64}/g) ?? []), lines.at(-1), ''].join('\n')
}

function below(random: Random, limit: number): number {
  return limit === 0 ? 0 : Buffer.from(random.fill(new Uint8Array(4))).readUInt32LE() % limit
}
