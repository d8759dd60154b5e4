import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from './arguments.ts'
import { isWeakCode } from '../codes/shared-code.ts'

/** The environment variable that may hold the code. */
const VARIABLE = 'GWT_CODE'

export interface CodeOptions {
  readonly code?: string
  readonly 'code-file'?: string
}

/**
 * Reads the code from --code-file, --code - (standard input), or the environment. Never from the command line, which
 * every user of the machine can read.
 * @returns undefined when none was given
 * @throws UsageError
 */
export async function readGivenCode(options: CodeOptions): Promise<string | undefined> {
  if (options.code !== undefined && options.code !== '-') {
    throw new UsageError(
      `a code in the command line can be read by everybody on this machine: use --code-file, ${VARIABLE}, or --code - to type it`,
    )
  }
  // Child processes do not need it.
  const fromEnvironment = process.env[VARIABLE]
  delete process.env[VARIABLE]
  if (options['code-file'] !== undefined) return nonEmpty(readCodeFile(options['code-file']))
  if (options.code === '-') return nonEmpty(await readTypedCode())
  return fromEnvironment === undefined ? undefined : nonEmpty(fromEnvironment)
}

/** @throws UsageError when somebody could guess it */
export function requireStrongCode(code: string): string {
  if (isWeakCode(code))
    throw new UsageError(
      'this code is too easy to guess: take at least 12 characters, 6 of them different, or let recv make one',
    )
  return code
}

/** Prompts at the terminal. @throws UsageError without one */
export async function promptForCode(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      `send needs the code that gwt recv shows: --code-file, ${VARIABLE}, or --code - from standard input`,
    )
  return nonEmpty(await readTypedCode())
}

function nonEmpty(code: string): string {
  if (code.trim() === '') throw new UsageError('the code is empty')
  return code.trim()
}

function readCodeFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`--code-file cannot be read: ${path}`)
  }
}

/** The first line of standard input. On a terminal it shows a prompt, and hides what is typed. */
async function readTypedCode(): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write('Code: ')
  const lines = createInterface({ input: process.stdin, terminal: isTerminal, historySize: 0 })
  if (isTerminal) process.stdin.setRawMode(true)
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
