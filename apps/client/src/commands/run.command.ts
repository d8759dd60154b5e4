import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname, platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomHex, secureRandom, systemClock } from '@godwit/base'
import { LIMITS } from '@godwit/contract'
import { Background, thisProgram } from '../daemon/background.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { ItemNotes } from '../daemon/keep-notes.ts'
import { keepGoing } from '../daemon/keep-going.ts'
import { keepTray } from '../daemon/keep-tray.ts'
import { systemDialogs } from '../daemon/dialogs.ts'
import { ORDER_TEXTS } from '../daemon/order-texts.ts'
import { localeOf } from '../doctor/texts.ts'
import { createOrders } from '../daemon/orders.ts'
import { KeepAwake } from '../desktop/keep-awake.ts'
import { becomeInstance, runningInstance } from '../daemon/single-instance.ts'
import { clientPlaces } from '../profiles/places.ts'
import { writeWhole } from '../profiles/profile.ts'
import { readPreferences, type Watch } from '../profiles/preferences.ts'
import { Queue } from '../queue/queue.ts'
import { ownTree } from '../upgrade/tree.ts'
import { tryVersion } from '../upgrade/trial.ts'
import { proveVersion, Upgrader } from '../upgrade/upgrader.ts'
import { stepReporter } from '../upgrade/step-texts.ts'
import { connectApi } from '../server-link/api.ts'
import { messageOf } from '../transfers/reason.ts'
import { ServerWatcher } from '../watch/server-watcher.ts'
import { Watcher } from '../watch/watcher.ts'
import { addWatch } from '../watch/watches.ts'
import { CLIENT_VERSION } from '../version.ts'
import { type Context, UsageError } from './context.ts'
import { describeItem } from './queue.command.ts'

/** A transfer may still be writing down how far it came. */
const STOP_MS = 30_000
const STOP_LOOK_MS = 50
const ALREADY = 'another godwit-client run of this account is running'

/** Takes what the background prints. */
export function daemonLog(environment: NodeJS.ProcessEnv): string {
  return join(clientPlaces(environment).state, 'daemon.log')
}

/** godwit-client run: stays connected to the servers of all accounts until it is stopped, or a newer version takes over. */
export async function run(context: Context): Promise<number> {
  requireNoWords(context)
  const leaving = new AbortController()
  let next: string | undefined
  const signal = AbortSignal.any([context.signal, leaving.signal])
  await runDaemonWith({ ...context, signal }, (version) => {
    next = version
    leaving.abort()
  })
  const tree = ownTree()
  if (next === undefined || tree === undefined || context.signal.aborted) return 0
  const { environment, output } = context
  const words = ['run', ...passedOn(context)]
  const reached = stepReporter(output)
  await tryVersion(
    { tree, old: CLIENT_VERSION, words, log: daemonLog(environment), environment, clock: systemClock, reached },
    next,
  )
  return 0
}

/** Until it is stopped. @param ready a newer version can be tried once this one has ended */
async function runDaemonWith(context: Context, ready: (version: string) => void): Promise<void> {
  const { output, profiles, environment, signal } = context
  const { state: folder } = clientPlaces(environment)
  using instance = await becomeInstance(folder)
  if (instance === undefined) throw new Error(ALREADY)
  const deviceId = await deviceIdIn(folder)
  const dialogs = await systemDialogs(environment)
  using queue = new Queue(folder, () => systemClock.now())
  const preferences = (): ReturnType<typeof readPreferences> => readPreferences(environment)
  using awake = new KeepAwake(environment, (reason) =>
    output.emit('awake-failed', { reason }, `This computer may fall asleep during a transfer: ${reason}`),
  )
  const notes = new ItemNotes(context, { queue, program: thisProgram() })
  const background = await Background.create({
    ...{ context, queue, awake },
    report(event, item) {
      output.emit(event, { ...item }, describeItem(item))
      notes.report(event, item)
    },
  })
  await background.open().catch((thrown: unknown) => {
    // Without its page, as where it was not built, the client does all the rest.
    output.emit('page-failed', { reason: messageOf(thrown) }, `No page: ${messageOf(thrown)}`)
  })
  output.emit('running', { pid: instance.pid, deviceId }, 'Running. Ctrl+C ends it.')
  process.send?.('running')
  const tray = keepTray(context, {
    view: () => background.view(),
    act: (action) => background.act(action),
    program: thisProgram(),
  })
  const working = background.run()
  const upgrader = new Upgrader({
    ...{ environment, signal, clock: systemClock, ready, reached: stepReporter(output) },
    failed: (version, reason) =>
      output.emit('upgrade-failed', { version, reason }, `No upgrade to ${version}: ${reason}`),
  })
  const watching = watchFolders(context, { queue, background })
  const notProven = (thrown: unknown): void => {
    const reason = messageOf(thrown)
    output.emit('upgrade-failed', { version: CLIENT_VERSION, reason }, `Not made the current version: ${reason}`)
  }
  await runDaemon({
    ...{ profiles, signal, clock: systemClock, random: secureRandom },
    introduction: {
      ...{ version: CLIENT_VERSION, platform: platformName(), deviceId, canAsk: dialogs !== undefined },
      ...{ deviceName: hostname().slice(0, 128), spaceId: LIMITS.defaultSpaceId },
    },
    orders: createOrders({
      ...{ queue, preferences, dialogs, texts: ORDER_TEXTS[localeOf(environment)] },
      watch: (added) => addWatch(environment, queue, added),
    }),
    upgrade: (profile, asked) => upgrader.ask(profile, asked),
    upgrades: upgrader,
    prepare: async () => void (await import('../transfers/connect.ts')),
    ignored: ({ account, server }, what) =>
      output.emit(
        'ignored',
        { server, account, what },
        `${account} at ${server} sent a ${what} that is not known here`,
      ),
    report: (event, facts) => {
      const { reason, refusal } = facts
      background.noteLink(facts, { isConnected: event === 'connected', reason, refusal })
      const why = facts.reason === '' ? '' : `: ${facts.reason}`
      output.emit(event, { ...facts }, `${facts.account} at ${facts.server} ${event}${why}`)
      if (event === 'connected') void proveVersion(environment).catch(notProven)
    },
  })
  await Promise.all([working, watching, tray])
}

interface Watching {
  readonly queue: Queue
  readonly background: Background
}

/** Keeps watched folders the same both ways until the client is stopped. Never rejects. */
async function watchFolders(context: Context, { queue, background }: Watching): Promise<void> {
  const { output, profiles, environment, signal } = context
  const deps = {
    ...{ queue, clock: systemClock },
    preferences: () => readPreferences(environment),
    report: (watch: Watch, fault: string) => background.noteWatch(watch, fault),
  }
  const failed = (thrown: unknown): void => {
    const reason = messageOf(thrown)
    output.emit('watch-failed', { reason }, `Watched folders could not be looked through: ${reason}`)
  }
  const watcher = new Watcher(deps)
  const serverWatcher = new ServerWatcher({
    ...{ ...deps, profiles },
    connect: (profile) => connectApi(profile, hostname()),
  })
  await Promise.all([
    keepGoing(() => watcher.run(signal), { failed, signal }),
    keepGoing(() => serverWatcher.run(signal), { failed, signal }),
  ])
}

/** godwit-client start: the same in the background. */
export async function start(context: Context): Promise<number> {
  requireNoWords(context)
  const pid = await startInBackground(context)
  context.output.emit('started', { pid }, 'Running in the background. godwit-client stop ends it.')
  return 0
}

/** @returns the process, once it runs. @throws Error when another one does, or it ends at once */
export async function startInBackground(context: Context): Promise<number | undefined> {
  const { state: folder } = clientPlaces(context.environment)
  const [program, ...options] = thisProgram()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const log = openSync(daemonLog(context.environment), 'w', 0o600)
  const child = spawn(program, [...options, 'run', ...passedOn(context)], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: context.environment,
  })
  closeSync(log)
  const isRunning = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
  if (!isRunning)
    throw new Error((await runningInstance(folder)) === undefined ? `see ${daemonLog(context.environment)}` : ALREADY)
  child.disconnect()
  child.unref()
  return child.pid
}

/** godwit-client stop: returns when it has ended. */
export async function stop(context: Context): Promise<number> {
  requireNoWords(context)
  const pid = await runningInstance(clientPlaces(context.environment).state)
  if (pid === undefined) throw new Error('it does not run')
  process.kill(pid, 'SIGTERM')
  for (const until = systemClock.monotonic() + STOP_MS; isAlive(pid); await sleep(STOP_LOOK_MS))
    if (systemClock.monotonic() >= until) throw new Error(`process ${pid} has not ended yet`)
  context.output.emit('stopped', { pid }, 'Stopped.')
  return 0
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH') return false
    throw thrown
  }
}

/** Options that hold for the daemon as well. */
function passedOn({ options: { udp, rate } }: Context): readonly string[] {
  return [...(udp ? [] : ['--no-udp']), ...(Number.isFinite(rate) ? ['--rate', String(rate)] : [])]
}

function requireNoWords({ words }: Context): void {
  if (words.length > 0) throw new UsageError('run, start and stop take no further words')
}

/** Made once, so that a server sees one device however often the program starts. */
async function deviceIdIn(folder: string): Promise<string> {
  const file = join(folder, 'device-id')
  const known = await readFile(file, 'utf8').catch((thrown: unknown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return ''
    throw thrown
  })
  if (known !== '') return known
  const made = randomHex(secureRandom, 16)
  await writeWhole(folder, file, made)
  return made
}

function platformName(): 'windows' | 'macos' | 'linux' {
  const name = platform()
  if (name === 'win32') return 'windows'
  return name === 'darwin' ? 'macos' : 'linux'
}
