import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { secureRandom, systemClock } from '@godwit/base'
import { errorText } from '@godwit/i18n'
import { storageError } from '../foundation/storages/index.ts'
import { Refused } from '../foundation/installation/index.ts'
import { PRODUCT_VERSION } from '../foundation/settings/index.ts'
import {
  CONFIG_FILE_VARIABLE,
  CONFIG_KEYS,
  ConfigError,
  flagName,
  loadConfig,
  nearest,
  type LoadedConfig,
} from '../kernel/config/index.ts'
import { NewerSchema } from '../kernel/db/index.ts'
import { AppError } from '../kernel/errors.ts'
import { askSecret } from './ask-secret.ts'
import { AUTH_COMMANDS } from './auth.commands.ts'
import { backupCommand } from './backup.command.ts'
import { CERTIFICATE_COMMANDS } from './certificate.commands.ts'
import { LICENCE_COMMANDS } from './licence.commands.ts'
import { CommandFailure } from './command-failure.ts'
import { logged } from './command-log.ts'
import type { Command, Invocation, Io } from './command.types.ts'
import { completionCommand } from './completion.command.ts'
import { CONFIG_COMMANDS } from './config.commands.ts'
import { databaseCopyCommand } from './database-copy.command.ts'
import { databaseRevertCommand } from './database-revert.command.ts'
import { databaseStatusCommand } from './database-status.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { supportBundleCommand } from './support.command.ts'
import { EVENTS_COMMANDS } from './events.commands.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { HOOK_COMMANDS } from './hook.commands.ts'
import { GROUP_COMMANDS } from './group.commands.ts'
import { commandHelp, groupHelp, programHelp } from './help.ts'
import { LINK_COMMANDS } from './link.commands.ts'
import { MAIL_COMMANDS } from './mail.commands.ts'
import { manCommand } from './man.command.ts'
import { restoreCommand } from './restore.command.ts'
import { serveCommand } from './serve.command.ts'
import { MOUNT_COMMANDS } from './mount.commands.ts'
import { SECRETS_COMMANDS } from './secrets.commands.ts'
import { SERVER_COMMANDS } from './server.commands.ts'
import { SETTINGS_COMMANDS } from './settings.commands.ts'
import { SITE_COMMANDS } from './site.commands.ts'
import { SPACE_COMMANDS } from './space.commands.ts'
import { SPACE_MOVE_COMMANDS } from './space-move.commands.ts'
import { STORAGE_COMMANDS } from './storage.commands.ts'
import { databaseFault, systemFault, type Fault } from './system-faults.ts'
import { SYSLOG_COMMANDS } from './syslog.commands.ts'
import { USER_COMMANDS } from './users.commands.ts'
import { verifyCommand } from './verify.command.ts'

export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...USER_COMMANDS,
  ...SITE_COMMANDS,
  ...SETTINGS_COMMANDS,
  ...MAIL_COMMANDS,
  ...CERTIFICATE_COMMANDS,
  ...SERVER_COMMANDS,
  ...LICENCE_COMMANDS,
  ...AUTH_COMMANDS,
  ...SPACE_COMMANDS,
  ...SPACE_MOVE_COMMANDS,
  ...GROUP_COMMANDS,
  ...LINK_COMMANDS,
  ...EVENTS_COMMANDS,
  ...HOOK_COMMANDS,
  ...STORAGE_COMMANDS,
  ...MOUNT_COMMANDS,
  ...SYSLOG_COMMANDS,
  ...SECRETS_COMMANDS,
  doctorCommand,
  supportBundleCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
  databaseCopyCommand,
  databaseStatusCommand,
  databaseRevertCommand,
  ...CONFIG_COMMANDS,
  completionCommand(() => COMMANDS),
  manCommand(() => COMMANDS),
]

const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  config: { type: 'string' },
} as const

/**
 * Runs one call of the operator's command.
 * @param argv the words after `godwit`
 */
export async function runCli(argv: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  const command = findCommand(argv)
  if (!command) return unknownCommand(argv, io)
  const words = argv.slice(argv[0]?.startsWith('-') === true ? 0 : command.name.split(' ').length)
  try {
    const { values, positionals } = parse(command, words)
    if (values['help'] === true) {
      io.stdout(commandHelp(command))
      return EXIT.ok
    }
    const complaint = complaintOf(command, values, positionals)
    if (complaint !== undefined) return complain(io, command, complaint)
    const loaded = loadFrom(values, io)
    const call = { io, loaded, options: values, positionals, show: shower(io, values['json'] === true) }
    return await logged(command, call, { work: () => command.run(call), codeOf })
  } catch (thrown) {
    return explain(thrown, command, io)
  }
}

/** `godwit --port 1` is `godwit serve --port 1`. */
function findCommand(argv: readonly string[]): Command | undefined {
  const [first, second] = argv
  if (first === undefined || first === '--help' || first === '-h' || first === 'help' || first === '--version')
    return undefined
  if (first.startsWith('-')) return serveCommand
  return COMMANDS.find(({ name }) => name === first || name === `${first} ${second ?? ''}`)
}

function unknownCommand(argv: readonly string[], io: Io): ExitCode {
  const [first, second] = argv
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    io.stdout(programHelp(COMMANDS))
    return first === undefined ? EXIT.usage : EXIT.ok
  }
  if (first === '--version') {
    io.stdout(`${PRODUCT_VERSION}\n`)
    return EXIT.ok
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && (second === undefined || second.startsWith('-'))) {
    const isAsked = second === '--help' || second === '-h'
    const print = isAsked ? io.stdout : io.stderr
    print(groupHelp(first, group))
    return isAsked ? EXIT.ok : EXIT.usage
  }
  const typed = [first, second].filter((word) => word !== undefined && !word.startsWith('-')).join(' ')
  const guess = nearest(
    typed,
    COMMANDS.map(({ name }) => name),
  )
  io.stderr(
    `godwit: there is no command '${typed}'.${guess === undefined ? '' : ` Did you mean '${guess}'?`} See godwit --help.\n`,
  )
  return EXIT.usage
}

function parse(command: Command, words: readonly string[]) {
  const settings = Object.fromEntries(
    Object.keys(CONFIG_KEYS).map((name) => [flagName(name), { type: 'string' as const }]),
  )
  const own = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))
  return parseArgs({
    args: [...words],
    options: { ...settings, ...own, ...COMMON },
    allowPositionals: true,
    strict: true,
  })
}

type Values = Readonly<Record<string, string | boolean | undefined>>

function complaintOf(command: Command, values: Values, positionals: readonly string[]): string | undefined {
  const missing = Object.entries(command.options).find(
    ([name, { required }]) => required === true && values[name] === undefined,
  )
  if (missing) return `--${missing[0]} is missing`
  if (positionals.length < command.positionals.length)
    return `${command.positionals[positionals.length] ?? ''} is missing`
  if (positionals.length > command.positionals.length) return `too many words: ${positionals.at(-1) ?? ''}`
  return undefined
}

function complain(io: Io, command: Command, complaint: string): ExitCode {
  io.stderr(`godwit ${command.name}: ${complaint}\n\n${commandHelp(command)}`)
  return EXIT.usage
}

function loadFrom(values: Values, io: Io): LoadedConfig {
  const flags = Object.fromEntries(
    Object.keys(CONFIG_KEYS).map((name) => [flagName(name), values[flagName(name)]]),
  ) as Record<string, string | undefined>
  const data = flags['data'] ?? io.environment['GODWIT_DATA'] ?? './data'
  const named = values['config'] ?? io.environment[CONFIG_FILE_VARIABLE]
  const file = typeof named === 'string' ? named : path.join(data, 'godwit.json')
  const isThere = typeof named === 'string' || fs.existsSync(file)
  return loadConfig({
    ...(isThere ? { file: readConfigFile(file) } : {}),
    environment: io.environment,
    flags,
    readSecret: (secret) => fs.readFileSync(secret, 'utf8'),
  })
}

/** @throws ConfigError with line and column when it is not JSON */
function readConfigFile(file: string): unknown {
  const text = fs.readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : 'not JSON'
    throw new ConfigError([{ key: file, source: 'file', message }], { cause: thrown })
  }
}

/** What the operation log says of a call. */
function codeOf(outcome: { readonly result: ExitCode } | { readonly thrown: unknown }): string | undefined {
  if ('result' in outcome) return outcome.result === EXIT.ok ? 'ok' : undefined
  return outcome.thrown instanceof AppError ? outcome.thrown.code : undefined
}

function shower(io: Io, asJson: boolean): Invocation['show'] {
  return (facts, text) => io.stdout(asJson ? `${JSON.stringify(facts, null, 2)}\n` : `${text}\n`)
}

/** Says what went wrong in one line a person can act on, and picks the exit code. */
function explain(thrown: unknown, command: Command, io: Io): ExitCode {
  if (io.signal.aborted) return EXIT.interrupted
  if (thrown instanceof ConfigError) {
    for (const { key, source, message } of thrown.faults) io.stderr(`godwit: ${key} (from ${source}): ${message}\n`)
    return EXIT.config
  }
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    return complain(io, command, flagFault(thrown, command))
  const fault = refusalOf(thrown) ?? systemFault(thrown) ?? databaseFault(thrown)
  if (fault !== undefined) {
    io.stderr(`godwit ${command.name}: ${fault.message}\n`)
    return fault.exit
  }
  const error = storageError(thrown)
  const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`
  io.stderr(`godwit ${command.name}: ${errorText('en-US', error.code, error.details)} [${error.wire}]${details}\n`)
  if (error.code === 'INTERNAL')
    io.stderr(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`)
  if (error.code === 'INTERNAL') return EXIT.problems
  return error.status >= 500 ? EXIT.unavailable : EXIT.refused
}

/** What was refused in words that are printed as they are. */
function refusalOf(thrown: unknown): Fault | undefined {
  if (thrown instanceof CommandFailure) return thrown
  return thrown instanceof Refused || thrown instanceof NewerSchema
    ? { exit: EXIT.refused, message: thrown.message }
    : undefined
}

/** What is wrong with the flags of a call, from the message of the parser, which says it for programmers. */
function flagFault(thrown: unknown, command: Command): string {
  const message = thrown instanceof Error ? thrown.message : ''
  const flag = /'(?:-\w, )?(--[\w-]+)/.exec(message)?.[1]
  if (flag === undefined) return 'the options are off'
  const known = [...Object.keys(command.options), ...Object.keys(CONFIG_KEYS).map(flagName), ...Object.keys(COMMON)]
  const flags = known.map((name) => `--${name}`)
  if (flags.includes(flag)) return /does not take/.test(message) ? `${flag} takes no value` : `${flag} needs a value`
  const guess = nearest(flag, flags)
  return `${flag} is not understood${guess === undefined ? '' : `; did you mean ${guess}?`}`
}

function processIo(): Io {
  const interrupted = new AbortController()
  process.once('SIGINT', () => {
    interrupted.abort(new Error('interrupted'))
    process.once('SIGINT', () => process.exit(EXIT.interrupted))
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody reads what it says any more, as behind `| head`; what it does, it does to its end.
      if (error.code !== 'EPIPE') throw error
    })
  }
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    environment: process.env,
    askSecret: process.stdin.isTTY ? askSecret : undefined,
    clock: systemClock,
    random: secureRandom,
    signal: interrupted.signal,
  }
}
