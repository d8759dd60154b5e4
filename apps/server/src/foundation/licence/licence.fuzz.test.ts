import { seededRandom, type Random } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { machineCodeOf, readLicence, requireCode, requireUsable } from './licence.file.ts'
import { CODE, licenceBody, openIssuer } from './testing/issuers.ts'

const COUNT = 10_000
const HERE = { now: 1_000_000, machineCode: machineCodeOf('x') }

describe('10,000 damaged licences', () => {
  it('each gets a code, and none says anything but what was signed', () => {
    const seed = Date.now() % 2 ** 31
    const random = seededRandom(seed)
    const { issue, issuerKey } = openIssuer()
    const body = licenceBody({ limits: { users: 5 }, expiresAt: 2_000_000 })
    const sound = issue(body)
    const codes = new Map<string, number>()
    for (let turn = 0; turn < COUNT; turn++) {
      const text = damaged(sound, random)
      const code = codeOf(text, issuerKey, (read) => expect(read, `seed ${seed}`).toEqual(body))
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    const unknown = [...codes.keys()].filter((code) => !/^(?:sound|LICENCE_\w+ (?:form|signature))$/.test(code))
    expect(unknown, `seed ${seed}`).toEqual([])
    expect(codes.size).toBe(3)
    // Only white space may differ in what still counts.
    expect(codes.get('sound') ?? 0).toBeLessThan(COUNT / 5)
  })
})

function codeOf(text: string, issuerKey: string, whenSound: (read: object) => void): string {
  try {
    const licence = readLicence(text, issuerKey)
    requireUsable(licence, HERE)
    requireCode(licence, CODE)
    whenSound(licence)
    return 'sound'
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return `${thrown.code} ${String(thrown.details?.['reason'])}`
  }
}

function damaged(text: string, random: Random): string {
  const at = below(random, text.length)
  switch (below(random, 7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1)
    case 2:
      return text.slice(0, at) + letter(random) + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + letter(random) + text.slice(at)
    case 4:
      return text.replaceAll('\n', ['\r\n', '\n\n', ' \n', ''][below(random, 4)] ?? '')
    case 5:
      return text + text
    default:
      return withOtherByte(text, random)
  }
}

/** Changes one byte of what is signed, and writes it as base64 again. */
function withOtherByte(text: string, random: Random): string {
  const lines = text.split('\n')
  const middle = lines.indexOf('-----BEGIN SIGNATURE-----')
  const bytes = Buffer.from(lines.slice(1, middle).join(''), 'base64')
  const at = below(random, bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 + below(random, 255))
  return [lines[0], bytes.toString('base64'), ...lines.slice(middle)].join('\n')
}

function letter(random: Random): string {
  return String.fromCodePoint(32 + below(random, 95))
}

function below(random: Random, end: number): number {
  const [a = 0, b = 0, c = 0] = random.fill(new Uint8Array(3))
  return (a * 65_536 + b * 256 + c) % end
}
