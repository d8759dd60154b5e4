import { randomBelow, seededRandom, type Random } from '@godwit/base'
import { AppError } from '../../../kernel/errors.ts'
import type { LicenceBody } from '../licence.file.ts'
import { machineCodeOf, readLicence, requireCode, requireUsable } from '../licence.file.ts'
import { CODE, licenceBody, openIssuer } from './issuers.ts'

const HERE = { now: 1_000_000, machineCode: machineCodeOf('x') }

interface DamagedLicences {
  readonly sound: LicenceBody
  /** What was read where nothing was found wrong. */
  readonly read: readonly LicenceBody[]
  /** How often each code came, with its reason. */
  readonly codes: ReadonlyMap<string, number>
}

export function readDamagedLicences(count: number, seed: number): DamagedLicences {
  const random = seededRandom(seed)
  const { issue, issuerKey } = openIssuer()
  const sound = licenceBody({ limits: { users: 5 }, expiresAt: 2_000_000 })
  const file = issue(sound)
  const read: LicenceBody[] = []
  const codes = new Map<string, number>()
  for (let turn = 0; turn < count; turn++) {
    const code = codeOf(damaged(file, random), issuerKey, (licence) => read.push(licence))
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  return { sound, read, codes }
}

function codeOf(text: string, issuerKey: string, whenSound: (read: LicenceBody) => void): string {
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
  const at = randomBelow(random, text.length)
  switch (randomBelow(random, 7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1)
    case 2:
      return text.slice(0, at) + letter(random) + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + letter(random) + text.slice(at)
    case 4:
      return text.replaceAll('\n', ['\r\n', '\n\n', ' \n', ''][randomBelow(random, 4)] ?? '')
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
  const at = randomBelow(random, bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 + randomBelow(random, 255))
  return [lines[0], bytes.toString('base64'), ...lines.slice(middle)].join('\n')
}

function letter(random: Random): string {
  return String.fromCodePoint(32 + randomBelow(random, 95))
}
