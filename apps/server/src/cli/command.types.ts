import type { Clock, Random } from '@godwit/base'
import type { LoadedConfig } from '../kernel/config/index.ts'
import type { ExitCode } from './exit-codes.ts'

/** What a command may touch of the world outside. */
export interface Io {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  /** Asks at the terminal for what must not be shown; undefined without a terminal. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined
  /** Aborts at the first Ctrl-C; commands stop at the next safe place and leave a resumable state. */
  readonly signal: AbortSignal
}

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly summary: string
  readonly value?: string
  readonly required?: boolean
}

export interface Invocation {
  readonly io: Io
  readonly loaded: LoadedConfig
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
  /** Prints for people, or the same facts as one JSON document with `--json`. */
  readonly show: (facts: unknown, text: string) => void
}

export interface Command {
  /** Words after `godwit`: `user add`. */
  readonly name: string
  readonly summary: string
  /** Names of the positional arguments, all required. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly string[]
  readonly run: (call: Invocation) => Promise<ExitCode>
}
