import fs from 'node:fs'
import { foldCase, usersStore, type UserRow } from '../identity/users/index.ts'
import type { Db } from '../kernel/db/index.ts'
import { CommandFailure } from './command-failure.ts'
import type { Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

export const ACCOUNT_OPTION = { type: 'string', summary: 'Account name', value: 'ACCOUNT', required: true } as const

/** A password comes from a file or standard input: what stands on a command line can be read by others. */
export const PASSWORD_OPTION = {
  type: 'string',
  summary: 'File whose first line is the password; - reads standard input',
  value: 'FILE',
} as const

/** The text of an option, where it was given. */
export function textOf(call: Invocation, option: string): string | undefined {
  const value = call.options[option]
  return typeof value === 'string' ? value : undefined
}

/**
 * A secret from the file that an option names, from standard input (`-`), or asked for at the terminal.
 * @throws CommandFailure where there is no terminal to ask at
 */
export async function secretFrom(call: Invocation, option: string, question: string): Promise<string> {
  const file = textOf(call, option)
  if (file !== undefined) return passwordIn(file)
  const { askSecret } = call.io
  if (askSecret === undefined)
    throw new CommandFailure(EXIT.usage, `--${option} is missing, and there is no terminal to ask at`)
  return askSecret(question)
}

/** The first line of the file that `--password-file` names. */
export function passwordIn(file: string): string {
  return fs.readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/, 1)[0] ?? ''
}

/** Does the work on the account of `--account`, or says that there is none. */
export async function onAccount(
  call: Invocation,
  db: Db,
  work: (user: UserRow) => Promise<ExitCode>,
): Promise<ExitCode> {
  const account = textOf(call, 'account') ?? ''
  const user = await usersStore.byAccountOrEmail(db, foldCase(account))
  return user === undefined ? missing(call, `There is no account ${account}.`) : work(user)
}

/** The options make no sense together, or one of them none at all. */
export function misused(call: Invocation, message: string): ExitCode {
  call.io.stderr(`godwit: ${message}\n`)
  return EXIT.usage
}

/** What the command is to work on does not exist. */
export function missing(call: Invocation, message: string): ExitCode {
  call.io.stderr(`godwit: ${message}\n`)
  return EXIT.notFound
}
