import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname, platform } from 'node:os'
import { join } from 'node:path'
import { randomHex, secureRandom, systemClock } from '@godwit/base'
import { LIMITS } from '@godwit/contract'
import type { TransferResult } from '@godwit/transfer'
import { runDaemon } from '../daemon/daemon.ts'
import { systemDialogs } from '../daemon/dialogs.ts'
import { createOrders } from '../daemon/orders.ts'
import { becomeInstance, runningInstance } from '../daemon/single-instance.ts'
import { clientFolder, writeWhole } from '../profiles/profile.ts'
import { readPreferences } from '../profiles/preferences.ts'
import { Queue, type QueueItem } from '../queue/queue.ts'
import { runQueue } from '../queue/runner.ts'
import { connectApi } from '../server-link/api.ts'
import { Watcher } from '../watch/watcher.ts'
import { CLIENT_VERSION } from '../version.ts'
import type { Link } from '../transfers/connect.ts'
import type { TransferParts } from '../transfers/upload.ts'
import { type Context, UsageError } from './context.ts'
import { describeItem } from './queue.command.ts'

const LOG = 'daemon.log'
const ALREADY = 'another godwit-client run of this account is running'

/** godwit-client run: stays connected to the servers of all accounts until it is stopped. */
export async function run(context: Context): Promise<number> {
  requireNoWords(context)
  const { output, profiles, environment, signal } = context
  const folder = clientFolder(environment)
  using instance = await becomeInstance(folder)
  if (instance === undefined) throw new Error(ALREADY)
  const deviceId = await deviceIdIn(folder)
  output.emit('running', { pid: instance.pid, deviceId }, 'Running. Ctrl+C ends it.')
  process.send?.('running')
  const dialogs = await systemDialogs(environment)
  using queue = new Queue(folder, () => systemClock.now())
  const preferences = (): ReturnType<typeof readPreferences> => readPreferences(environment)
  const working = runQueue({
    ...{ queue, profiles, signal, clock: systemClock },
    connect: (profile) => connectApi(profile, hostname()),
    transfer: (item, parts) => transfer(context, item, parts),
    report: (event, item) => output.emit(event, { ...item }, describeItem(item)),
  })
  const watching = new Watcher({ queue, preferences, clock: systemClock }).run(signal)
  await runDaemon({
    ...{ profiles, signal, clock: systemClock, random: secureRandom },
    introduction: {
      ...{ version: CLIENT_VERSION, platform: platformName(), deviceId, canAsk: dialogs !== undefined },
      ...{ deviceName: hostname().slice(0, 128), spaceId: LIMITS.defaultSpaceId },
    },
    orders: createOrders({ queue, preferences, dialogs }),
    prepare: async () => void (await import('../transfers/connect.ts')),
    report: (event, facts) => {
      const why = facts.reason === '' ? '' : `: ${facts.reason}`
      output.emit(event, { ...facts }, `${facts.account} at ${facts.server} ${event}${why}`)
    },
  })
  await Promise.all([working, watching])
  return 0
}

/** Engines are loaded with the first transfer. */
async function transfer(
  { options, signal }: Context,
  item: QueueItem,
  parts: Omit<TransferParts, 'link'>,
): Promise<TransferResult> {
  const { apiHostOf } = await import('../transfers/connect.ts')
  const { udp, rate } = options
  const link: Link = { apiHost: apiHostOf(parts.profile), udp: udp ? 'auto' : 'off', rate, signal }
  const { spaceId, groupId, paths, target } = item
  if (item.direction === 'upload') {
    const { runUpload } = await import('../transfers/upload.ts')
    return runUpload({ ...parts, link }, { spaceId, groupId, roots: paths, folder: target })
  }
  const { runDownload } = await import('../transfers/download.ts')
  return runDownload({ ...parts, link }, { spaceId, groupId, paths, root: target })
}

/** godwit-client start: the same in the background. */
export async function start(context: Context): Promise<number> {
  requireNoWords(context)
  const folder = clientFolder(context.environment)
  const [program] = process.argv.slice(1)
  if (program === undefined) throw new Error('the program does not know its own path')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const log = openSync(join(folder, LOG), 'w', 0o600)
  const options = { detached: true, stdio: ['ignore', log, log, 'ipc'] as const }
  const child = spawn(process.execPath, [program, 'run', ...passedOn(context)], {
    ...options,
    stdio: [...options.stdio],
  })
  closeSync(log)
  const isRunning = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
  if (!isRunning) throw new Error((await runningInstance(folder)) === undefined ? `see ${join(folder, LOG)}` : ALREADY)
  child.disconnect()
  child.unref()
  context.output.emit('started', { pid: child.pid }, 'Running in the background. godwit-client stop ends it.')
  return 0
}

/** godwit-client stop */
export async function stop(context: Context): Promise<number> {
  requireNoWords(context)
  const pid = await runningInstance(clientFolder(context.environment))
  if (pid === undefined) throw new Error('it does not run')
  process.kill(pid, 'SIGTERM')
  context.output.emit('stopped', { pid }, 'Stopped.')
  return 0
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
