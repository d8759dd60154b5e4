import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Godwit, run } from '@godwit/testkit'

const PROGRAM = resolve(import.meta.dirname, '../../apps/server/bin/godwit.js')

/** A running server keeps what it read of the settings for this long. */
const SETTINGS_KEPT_MS = 1_000

/**
 * Runs `godwit …` on the data of a running server, as its operator does; whatever it sets is in force on return.
 * @returns what it printed
 */
export async function operator(godwit: Godwit, ...argv: readonly string[]): Promise<string> {
  const printed = await run([process.execPath, PROGRAM, ...argv, '--data', godwit.data])
  if (argv[1] === 'set') await sleep(SETTINGS_KEPT_MS + 50)
  return printed
}

export interface Person {
  readonly account: string
  readonly email: string
  readonly password: string
}

export interface PersonOptions {
  /** Must choose a new password before the first sign-in. */
  readonly mustReset?: boolean
  readonly type?: 'normal' | 'domain' | 'email' | 'linux'
}

let people = 0

/** A new account of the test's own. */
export async function addPerson(godwit: Godwit, { mustReset = false, type }: PersonOptions = {}): Promise<Person> {
  people += 1
  const account = `person_${process.pid}_${people}`
  const person = { account, email: `${account}@example.org`, password: 'Tidal-flats-42' }
  const file = join(godwit.data, `${account}.txt`)
  await writeFile(file, `${person.password}\n`, { mode: 0o600 })
  const flags = [...(mustReset ? ['--must-reset'] : []), ...(type === undefined ? [] : ['--type', type])]
  const facts = ['--account', account, '--email', person.email, '--password-file', file]
  await operator(godwit, 'user', 'add', ...facts, ...flags)
  return person
}
