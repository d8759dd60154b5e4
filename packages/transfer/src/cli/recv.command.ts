import { once } from 'node:events'
import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { type Connection, type ConnectionSettings, type Decision, type Endpoint, listen } from '@godwit/transport/node'
import { challengeCode, SERVER_TLS } from '../codes/code-proof.ts'
import { GuessLimit } from '../codes/guess-limit.ts'
import { newCode } from '../codes/shared-code.ts'
import { receiveFiles } from '../engines/receive-engine.ts'
import type { ReceiveTask } from '../engines/receive.types.ts'
import { TaskTurns } from '../engines/task-turns.ts'
import { TransferError } from '../errors/transfer-error.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import { StreamTarget } from '../targets/stream-target.ts'
import type { Target } from '../targets/target.ts'
import { DEFAULT_PORT, EXIT, numberOf, type RecvValues, UsageError } from './arguments.ts'
import { readGivenCode, requireStrongCode } from './code-input.ts'
import { receiveVia } from './recv-via.ts'
import { meetingOf, readToken } from './via.ts'
import { readRoomCode, writeRoomCode } from '../rendezvous/room-code.ts'
import { watchKeys } from './keys.ts'
import { describeFailure, describeResult, type Output } from './output.ts'
import { processUse, threadCpu } from './process-use.ts'
import { linkSettings, type LinkSettings } from './settings.ts'
import { FolderTargets, type OpenedTarget, type Targets } from './targets.ts'

/** gwt recv FOLDER, gwt recv - */
export async function receive(words: readonly string[], values: RecvValues, output: Output): Promise<number> {
  const [folder, ...more] = words
  if (folder === undefined || more.length > 0) throw new UsageError('recv needs one folder')
  const link = linkSettings(values)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const meeting = meetingOf(values, stopping.signal)
  const code = await ownCode(values, meeting !== undefined)
  const guesses = new GuessLimit(() => systemClock.monotonic())
  const targets = folder === '-' ? streamTargets() : new FolderTargets(resolve(folder), keptAttributes(values))
  const reception = new Reception({ targets, output, link, isOnce: values.once === true, stopping })
  const authorize: Authorize = (share, peer, channel) =>
    challenge({ code: code.secret, guesses, output, settings: link.settings }, { share, peer, channel })
  const stopKeys = watchKeys(process.stdin, {
    togglePause: () => reception.togglePause(),
    stop: () => stopping.abort(),
  })
  try {
    if (meeting === undefined) await receiveHere(values, { code, link, output, reception, authorize, stopping })
    else
      await receiveVia({
        ...{ meeting, room: code.room, link, output, authorize },
        token: readToken(values['token-file']),
        take: (connection) => reception.take(connection),
        opened: (room) => showRoom(room, code, { output, via: values.via ?? '' }),
      })
  } finally {
    stopKeys()
    await reception.stop()
    // A waiting thread would keep the idle program alive.
    await targets.stop()
    link.stop()
  }
  return reception.exitCode
}

interface OwnCode {
  readonly secret: string
  /** The number of a room, where a given code begins with one. */
  readonly room: string | undefined
  /** A code that the user chose is not printed. */
  readonly isGiven: boolean
}

/** @throws UsageError */
async function ownCode(values: RecvValues, isVia: boolean): Promise<OwnCode> {
  const given = await readGivenCode(values)
  if (given === undefined) return { secret: newCode(), room: undefined, isGiven: false }
  const { room, secret } = (isVia ? readRoomCode(given) : undefined) ?? { room: undefined, secret: given }
  return { secret: requireStrongCode(secret), room, isGiven: true }
}

type Authorize = (share: Uint8Array, peer: Endpoint, channel: Uint8Array) => Decision

interface Here {
  readonly code: OwnCode
  readonly link: LinkSettings
  readonly output: Output
  readonly reception: Reception
  readonly authorize: Authorize
  readonly stopping: AbortController
}

/** Listens at this machine until it is stopped. */
async function receiveHere(values: RecvValues, here: Here): Promise<void> {
  const { code, link, output, reception, authorize, stopping } = here
  const port = values.port === undefined ? DEFAULT_PORT : numberOf('port', values.port, { min: 0, max: 65_535 })
  const listener = await listen({
    host: values.host ?? '0.0.0.0',
    port,
    tls: SERVER_TLS,
    udp: link.udp,
    packetSize: link.packetSize,
    authorize,
    onConnection: (connection) => void reception.take(connection),
  })
  const { local } = listener
  output.emit(
    'listening',
    {
      port: local.port,
      udpPort: listener.udpPort,
      engines: listener.engines,
      ...(code.isGiven ? {} : { code: code.secret }),
    },
    `Ready on port ${local.port}. On the other machine:`,
    `  gwt send FILES THIS-HOST:${local.port}`,
    ...(code.isGiven ? [] : ['and when it asks for the code:', `  ${code.secret}`]),
  )
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  const closing = reception.stop()
  await listener.close()
  await closing
}

function showRoom(room: string, code: OwnCode, { output, via }: { output: Output; via: string }): void {
  const full = writeRoomCode({ room, secret: code.isGiven ? 'YOUR-CODE' : code.secret })
  output.emit(
    'listening',
    { room, ...(code.isGiven ? {} : { code: full }) },
    'Ready. On the other machine:',
    `  gwt send --via ${via} FILES`,
    'and when it asks for the code:',
    `  ${full}`,
  )
}

interface Gate {
  readonly code: string
  readonly guesses: GuessLimit
  readonly output: Output
  readonly settings: ConnectionSettings
}

interface Caller {
  readonly share: Uint8Array
  readonly peer: Endpoint
  readonly channel: Uint8Array
}

/** One guess per connection, and a limit on connections. */
function challenge({ code, guesses, output, settings }: Gate, { share, peer, channel }: Caller): Decision {
  const onProven = guesses.begin(peer.host)
  if (onProven === undefined) {
    output.emit('refused', { host: peer.host }, `refused ${peer.host || 'a sender'}: too many wrong codes`)
    return 'too many wrong codes, try again in a minute'
  }
  return challengeCode(code, { share, channel }, { settings, onProven }) ?? 'not a proof'
}

function keptAttributes(values: RecvValues): KeptAttributes {
  return { permissions: values.perms === true, links: values.links === true, holes: values.sparse === true }
}

/** One stream for all connections: a sender that reconnects continues it. */
function streamTargets(): Targets {
  const target = new StreamTarget(
    (bytes) =>
      new Promise((done, fail) => {
        process.stdout.write(bytes, (error) => (error instanceof Error ? fail(error) : done()))
      }),
  )
  return {
    open: () => ({ target, release: async () => undefined }),
    prepare: () => undefined,
    stop: async () => undefined,
  }
}

interface ReceptionDeps {
  readonly targets: Targets
  readonly output: Output
  readonly link: LinkSettings
  /** The first transfer that ends decides the exit code and stops the program. */
  readonly isOnce: boolean
  readonly stopping: AbortController
}

/** The transfers of one `gwt recv`. */
class Reception {
  readonly #deps: ReceptionDeps
  readonly #turns = new TaskTurns()
  readonly #running = new Set<Promise<void>>()
  /** Running transfers, including those whose sender has not opened its task yet. */
  readonly #tasks = new Set<ReceiveTask>()
  #isDecided = false
  #isPaused = false
  exitCode: number = EXIT.done

  constructor(deps: ReceptionDeps) {
    this.#deps = deps
  }

  /** Settles when the transfer has ended. */
  take(connection: Connection): Promise<void> {
    const { targets, isOnce, stopping } = this.#deps
    const served = this.#serve(connection, targets.open()).then((exitCode) => {
      this.#running.delete(served)
      if (!this.#isDecided) this.exitCode = exitCode ?? this.exitCode
      this.#isDecided = isOnce && (this.#isDecided || exitCode !== undefined)
      if (this.#isDecided) stopping.abort()
      if (!stopping.signal.aborted) targets.prepare()
    })
    this.#running.add(served)
    return served
  }

  togglePause(): void {
    this.#isPaused = !this.#isPaused
    for (const task of this.#tasks) task.setPaused(this.#isPaused)
    this.#deps.output.emit(
      'paused',
      { isPaused: this.#isPaused },
      this.#isPaused ? 'paused; space goes on' : 'going on',
    )
  }

  /** Settles when each transfer has closed its files and reported its exit code. */
  async stop(): Promise<void> {
    for (const task of this.#tasks) task.cancel()
    await Promise.all(this.#running)
  }

  /** @returns the exit code when the transfer is over; undefined when its sender may come back */
  async #serve(connection: Connection, { target, release }: OpenedTarget): Promise<number | undefined> {
    const startedAt = systemClock.monotonic()
    const gone = Promise.withResolvers<void>()
    const task: ReceiveTask = this.#start(connection, target, (taskId) => this.#turns.take(taskId, task, gone.promise))
    this.#tasks.add(task)
    try {
      const result = await task.result
      const seconds = (systemClock.monotonic() - startedAt) / 1000
      this.#emitStats(connection)
      this.#deps.output.emit('done', { ...result, seconds }, describeResult(result, seconds))
      return result.failures.length === 0 ? EXIT.done : EXIT.partial
    } catch (error) {
      if (!(error instanceof TransferError)) throw error
      this.#deps.output.emit('failed', { code: error.code, ...error.details }, error.message)
      return error.code === 'PEER_LOST' ? undefined : EXIT.failed
    } finally {
      this.#tasks.delete(task)
      await task.yieldTo()
      await release()
      gone.resolve()
    }
  }

  #start(connection: Connection, target: Target, onOpen: (taskId: string) => Promise<void>): ReceiveTask {
    const { output, link } = this.#deps
    const events = {
      progress: output.progress.bind(output),
      path: (report: Connection['path']) => output.emit('path', { ...report }, report.text),
      fileFailed: (failure: { path: string; code: string }) =>
        output.emit('file-failed', { ...failure }, describeFailure(failure)),
    }
    const nowMs = (): number => systemClock.monotonic()
    const request = { windowGrowth: () => link.windowGrowth, onOpen }
    return receiveFiles({ channel: connection, target, nowMs, cpu: threadCpu, events }, request)
  }

  #emitStats(connection: Connection): void {
    const { session, engines, tcpReceivedBytes } = connection.stats()
    this.#deps.output.emit('stats', { ...session, ...processUse(), engines, tcpReceivedBytes }, engines)
  }
}
