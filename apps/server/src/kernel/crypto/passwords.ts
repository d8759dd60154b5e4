import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Semaphore, type Random } from '@godwit/base'

const derive = promisify(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 65 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const TAG_BYTES = 32

/** More at once would only queue in the thread pool and hold 19 MiB each. */
const slots = new Semaphore(4)

/** @returns a PHC string: `$argon2id$v=19$m=...,t=...,p=...$salt$hash` */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const nonce = Buffer.from(random.fill(new Uint8Array(16)))
  const tag = await compute(password, { ...COST, nonce, tagLength: TAG_BYTES })
  return phc(nonce, tag)
}

/**
 * A hash that no password matches, to be checked where an account is unknown. Each salt walks the memory its own way and
 * takes its own time (about 0.3 % more or less), so every unknown account has its own salt too, always the same one.
 * @param seed 32 hex digits or more that nobody can foretell
 */
export function decoyHash(seed: string): string {
  return phc(Buffer.from(seed.slice(0, 32), 'hex'), Buffer.alloc(TAG_BYTES))
}

function phc(nonce: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** A malformed stored hash matches nothing. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{8,})\$([\w+/]{16,})$/.exec(stored)
  if (!parts) return false
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await compute(password, { ...cost, nonce: Buffer.from(salt, 'base64'), tagLength: expected.length })
  return timingSafeEqual(actual, expected)
}

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly nonce: Buffer
  readonly tagLength: number
}

async function compute(password: string, parameters: Parameters): Promise<Buffer> {
  return slots.run(() => derive('argon2id', { message: Buffer.from(password.normalize('NFC')), ...parameters }))
}

/** PHC strings use base64 without padding. */
function base64(data: Buffer): string {
  return data.toString('base64').replaceAll('=', '')
}
