import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Godwit, run } from '@godwit/testkit'
import { expect } from '@playwright/test'

const PROGRAM = resolve(import.meta.dirname, '../../apps/server/bin/godwit.js')

/** Runs `godwit …` on the data of a running server, as its operator does. @returns what it printed */
export async function operator(godwit: Godwit, ...argv: readonly string[]): Promise<string> {
  return run([process.execPath, PROGRAM, ...argv, '--data', godwit.data])
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

/** Changes a setting of the site and waits until the running server has it. */
export async function setSite(godwit: Godwit, name: string, value: string): Promise<void> {
  await operator(godwit, 'site', 'set', name, value)
  await expect
    .poll(async () => {
      const answer = (await (await fetch(`${godwit.url}/api/website/info`)).json()) as { data: Record<string, unknown> }
      return String(answer.data[name])
    })
    .toBe(value)
}
