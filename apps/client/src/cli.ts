import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '@godwit/base'
import { parseRate } from '@godwit/transfer'
import { createOutput, endWhenUnread, escaped, toJsonLine } from '@godwit/transfer/cli'
import { type Context, UsageError } from './commands/context.ts'
import { EXIT } from './commands/transfer-output.ts'
import { HELP, manual } from './help.ts'
import { systemKeyring } from './profiles/keyring.ts'
import { openProfiles } from './profiles/profile.ts'
import { isGlob } from './server-link/upload-filter.ts'
import { CLIENT_VERSION } from './version.ts'

const OPTIONS = {
  config: { type: 'string' },
  'token-file': { type: 'string' },
  server: { type: 'string' },
  account: { type: 'string' },
  space: { type: 'string' },
  group: { type: 'string', default: '0' },
  rate: { type: 'string' },
  by: { type: 'string' },
  'no-udp': { type: 'boolean', default: false },
  exclude: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean', default: false },
  later: { type: 'boolean', default: false },
  ask: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const COMMANDS: Readonly<Record<string, (context: Context) => Promise<number>>> = {
  login: async (context) => (await import('./commands/login.command.ts')).login(context),
  logout: async (context) => (await import('./commands/login.command.ts')).logout(context),
  accounts: async (context) => (await import('./commands/login.command.ts')).accounts(context),
  run: async (context) => (await import('./commands/run.command.ts')).run(context),
  start: async (context) => (await import('./commands/run.command.ts')).start(context),
  stop: async (context) => (await import('./commands/run.command.ts')).stop(context),
  open: async (context) => (await import('./commands/open.command.ts')).open(context),
  upgrade: async (context) => (await import('./commands/upgrade.command.ts')).upgrade(context),
  autostart: async (context) => (await import('./commands/open.command.ts')).autostart(context),
  notifications: async (context) => (await import('./commands/open.command.ts')).notifications(context),
  menu: async (context) => (await import('./commands/menu.command.ts')).menu(context),
  send: async (context) => (await import('./commands/send.command.ts')).send(context),
  up: async (context) => (await import('./commands/up.command.ts')).up(context),
  down: async (context) => (await import('./commands/down.command.ts')).down(context),
  queue: async (context) => (await import('./commands/queue.command.ts')).queue(context),
  watch: async (context) => (await import('./commands/watch.command.ts')).watch(context),
  doctor: async (context) => (await import('./doctor/doctor.command.ts')).doctor(context),
  folders: async (context) => (await import('./commands/queue.command.ts')).folders(context),
  filters: async (context) => (await import('./commands/filters.command.ts')).filters(context),
  ls: async (context) => (await import('./commands/ls.command.ts')).ls(context),
  status: async (context) => (await import('./commands/status.command.ts')).status(context),
  pause: async (context) => (await import('./commands/status.command.ts')).control(context, 'pause'),
  resume: async (context) => (await import('./commands/status.command.ts')).control(context, 'resume'),
  cancel: async (context) => (await import('./commands/status.command.ts')).control(context, 'cancel'),
  limit: async (context) => (await import('./commands/status.command.ts')).limit(context),
  deadline: async (context) => (await import('./commands/status.command.ts')).deadline(context),
}

/** The program `godwit-client`. @returns its exit code */
export async function runClient(words: readonly string[]): Promise<number> {
  endWhenUnread()
  try {
    return await run(words)
  } catch (error) {
    const text = await textOf(error)
    if (words.includes('--json')) console.log(toJsonLine({ event: 'error', message: text }))
    // The reason may be text from the server.
    else
      console.error(
        `godwit-client: ${escaped(text)}${error instanceof UsageError ? '\nSee godwit-client --help.' : ''}`,
      )
    return error instanceof UsageError ? EXIT.usage : EXIT.failed
  }
}

/** Of a server that did not answer also what the network calls the reason. */
async function textOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return 'unknown error'
  // Loaded where they are needed: every command starts sooner without them.
  const [{ ApiError }, { reasonOf }] = await Promise.all([import('@godwit/sdk'), import('./transfers/reason.ts')])
  const isUnanswered = error instanceof ApiError && error.code === 0 && error.cause !== undefined
  return isUnanswered ? `${error.message} (${reasonOf(error)})` : error.message
}

async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parse(words)
  const [name, ...rest] = positionals
  if (values.version) {
    console.log(`godwit-client ${CLIENT_VERSION}`)
    return EXIT.done
  }
  if (values.help || name === undefined) {
    console.log(HELP)
    return values.help ? EXIT.done : EXIT.usage
  }
  if (name === 'man') {
    console.log(manual(new Date(systemClock.now())))
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`unknown command: ${name}`)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const environment = environmentFor(values.config)
  return command({
    words: rest,
    options: {
      spaceId: values.space === undefined ? undefined : idOf('space', values.space),
      groupId: idOf('group', values.group),
      udp: !values['no-udp'],
      rate: values.rate === undefined ? Infinity : rateOf(values.rate),
      by: values.by,
      exclude: excluded(values.exclude ?? []),
      dryRun: values['dry-run'],
      later: values.later,
      ask: values.ask,
      tokenFile: values['token-file'],
      server: values.server,
      account: values.account,
    },
    output: createOutput({ json: values.json }),
    profiles: openProfiles(environment, systemKeyring(environment)),
    environment,
    signal: stopping.signal,
  })
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'bad arguments')
  }
}

/** The option and the variable mean the same, also for programs that this one starts. */
function environmentFor(config: string | undefined): NodeJS.ProcessEnv {
  if (config === '') throw new UsageError('--config takes a folder')
  return config === undefined ? process.env : { ...process.env, GODWIT_CLIENT_HOME: resolve(config) }
}

function excluded(patterns: readonly string[]): readonly string[] {
  const wrong = patterns.find((pattern) => !isGlob(pattern))
  if (wrong !== undefined) throw new UsageError(`not a pattern: ${wrong}`)
  return patterns
}

function rateOf(value: string): number {
  try {
    const rate = parseRate(value)
    if (rate > 0) return rate
  } catch {
    // The message below names the option.
  }
  throw new UsageError('--rate takes a rate such as 800k, 20M or 1.5G (bits per second)')
}

function idOf(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} takes a number`)
  return Number(value)
}
