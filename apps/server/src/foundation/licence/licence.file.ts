import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { Random } from '@godwit/base'
import {
  EDITION_NAMES,
  isLicenceCode,
  LICENCE_FILE_MAX,
  type EditionNumbers,
  type LicenceFault,
} from '@godwit/contract'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'

const limit = z.int().min(1).nullable().optional()

const body = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  edition: z.enum(EDITION_NAMES),
  /** Whom it was issued to. */
  holder: z.string().max(200),
  /** Machine code of the only installation that may use it; '': any. */
  machine: z.string().regex(/^(?:[0-9A-Z]{16})?$/),
  startsAt: z.int().min(0),
  /** Null: it does not end. */
  expiresAt: z.int().min(0).nullable(),
  /** In place of the numbers of its edition; null is unlimited. */
  limits: z.strictObject({ users: limit, clients: limit, bandwidthMbps: limit, trafficBytes: limit }),
  /** Of its activation code. */
  codeHash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** What an issuer signs. */
export interface LicenceBody extends Omit<z.output<typeof body>, 'limits'> {
  readonly limits: { readonly [Name in keyof EditionNumbers]?: number | null | undefined }
}

const HEAD = '-----BEGIN GODWIT LICENCE-----'
const MIDDLE = '-----BEGIN SIGNATURE-----'
const FOOT = '-----END GODWIT LICENCE-----'
const COLUMNS = 64
/** A signature for something else can never pass for that of a licence. */
const PURPOSE = 'godwit-licence-1\n'
const SIGNATURE_BYTES = 64

/** @returns the text of a licence file */
export function signLicence(licence: LicenceBody, privateKeyPem: string): string {
  const payload = Buffer.from(JSON.stringify(body.parse(licence)))
  const signature = sign(null, signed(payload), createPrivateKey(privateKeyPem))
  return [HEAD, ...wrapped(payload), MIDDLE, ...wrapped(signature), FOOT, ''].join('\n')
}

/**
 * What a licence file says, once its signature is verified.
 * @param issuerKey of the configuration; '' where no issuer is known
 * @throws AppError LICENCE_INVALID with the reason
 */
export function readLicence(text: string, issuerKey: string): LicenceBody {
  const { payload, signature } = partsOf(text)
  if (issuerKey === '') throw refused('no-issuer')
  const key = createPublicKey({ key: Buffer.from(issuerKey, 'base64'), format: 'der', type: 'spki' })
  if (!verify(null, signed(payload), key, signature)) throw refused('signature')
  const licence = body.safeParse(jsonOf(payload))
  if (!licence.success) throw refused('form')
  return licence.data
}

/**
 * Whether a licence may be used here and now.
 * @throws AppError LICENCE_INVALID with the reason, LICENCE_EXPIRED
 */
export function requireUsable(
  { machine, startsAt, expiresAt }: LicenceBody,
  here: { readonly now: number; readonly machineCode: string },
): void {
  if (machine !== '' && machine !== here.machineCode) throw refused('machine')
  if (startsAt > here.now) throw refused('not-started')
  if (expiresAt !== null && expiresAt <= here.now) throw new AppError('LICENCE_EXPIRED', { field: 'file' })
}

/** The name under which an issuer knows an installation: 80 bits of a hash of its id. */
export function machineCodeOf(installationId: string): string {
  const hash = createHash('sha256').update(`godwit-machine:${installationId}`).digest()
  return letters(hash, 16)
}

/** No letter that could be taken for a digit, and no digit for a letter: 32 characters. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A new activation code, 65 bits or more. */
export function newLicenceCode(random: Random, length: number): string {
  return letters(random.fill(new Uint8Array(length)), length)
}

function letters(bytes: Uint8Array, length: number): string {
  return Array.from(bytes.subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** What a licence file holds of its code: with the id, so that one code is another hash in every licence. */
export function licenceCodeHash(id: string, code: string): string {
  return createHash('sha256').update(`${id}:${code.toUpperCase()}`).digest('hex')
}

/** @throws AppError LICENCE_CODE_FORMAT, LICENCE_CODE_UNSUPPORTED */
export function requireCode({ id, codeHash }: Pick<LicenceBody, 'id' | 'codeHash'>, code: string): void {
  if (!isLicenceCode(code)) throw new AppError('LICENCE_CODE_FORMAT', { field: 'code' })
  if (licenceCodeHash(id, code) !== codeHash) throw new AppError('LICENCE_CODE_UNSUPPORTED', { field: 'code' })
}

export function refused(reason: LicenceFault): AppError {
  return new AppError('LICENCE_INVALID', { field: 'file', reason })
}

function partsOf(text: string): { readonly payload: Buffer; readonly signature: Buffer } {
  if (text.length > LICENCE_FILE_MAX) throw refused('form')
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const middle = lines.indexOf(MIDDLE)
  if (lines[0] !== HEAD || middle < 0 || lines.at(-1) !== FOOT) throw refused('form')
  const payload = bytesOf(lines.slice(1, middle))
  const signature = bytesOf(lines.slice(middle + 1, -1))
  if (signature.length !== SIGNATURE_BYTES) throw refused('form')
  return { payload, signature }
}

/** Base64 in the one form that {@link wrapped} writes: no two texts are the same licence. */
function bytesOf(lines: readonly string[]): Buffer {
  const text = lines.join('')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw refused('form')
  return bytes
}

function wrapped(bytes: Buffer): string[] {
  return bytes.toString('base64').match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? []
}

function signed(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(PURPOSE), payload])
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    throw refused('form')
  }
}
