import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { connect, type Connection, ProofError, RefusedError } from '@godwit/transport/node'
import { CLIENT_TLS, proveCode } from '../codes/code-proof.ts'
import type { EngineEvents, TransferResult } from '../engines/engine.types.ts'
import { sendFiles } from '../engines/send-engine.ts'
import type { SendTask } from '../engines/send.types.ts'
import { TransferError } from '../errors/transfer-error.ts'
import { codeOf } from '../files/disk-calls.ts'
import { createFilter, type FilterRules } from '../filters/filter.ts'
import type { HashName } from '../hashes/tree-hash.ts'
import type { ExistingPolicy, Verdict } from '../messages/messages.ts'
import { startDiskSource } from '../sources/disk-source.ts'
import type { FileFailure, Source } from '../sources/source.ts'
import { type MeetOptions, RendezvousError } from '../rendezvous/rendezvous.ts'
import type { RoomCode } from '../rendezvous/room-code.ts'
import { endpointOf, EXIT, oneOf, type SendValues, sizeOf, UsageError } from './arguments.ts'
import { promptForCode, readGivenCode } from './code-input.ts'
import { watchKeys } from './keys.ts'
import { describeFailure, describeKept, describeResult, describeVerdicts, type Output } from './output.ts'
import { processUse, threadCpu } from './process-use.ts'
import { linkSettings, type LinkSettings } from './settings.ts'
import { spool } from './spool.ts'
import { connectVia, lacksWay, meetingOf, refusalOfServer, roomCodeOf } from './via.ts'

/** Waits between attempts after a lost connection, milliseconds; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 6000]
/** Attempts in a row without progress before the command gives up. */
const MAX_IDLE_TRIES = 20

/** The TLS error when the other side has another channel key. */
const OTHER_KEY = 'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR'

type Target =
  | { readonly host: string; readonly port: number; readonly code: string }
  | { readonly meeting: MeetOptions; readonly code: RoomCode }

interface Job {
  readonly roots: readonly string[]
  readonly filter: FilterRules
  /** Where the receiver is, and the code for it. */
  readonly target: Target
  readonly link: LinkSettings
  readonly hash: HashName
  readonly existing: ExistingPolicy
  readonly isChecksum: boolean
  readonly isDryRun: boolean
  readonly links: boolean
  readonly output: Output
  /** What keys change, and whether the two have met at a server. */
  readonly control: { task: SendTask | undefined; isPaused: boolean; bitsPerSecond: number; hasMet: boolean }
}

/** gwt send PATH... HOST[:PORT] */
export async function send(words: readonly string[], values: SendValues, output: Output): Promise<number> {
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const meeting = meetingOf(values, stopping.signal)
  requirePaths(words, meeting)
  const code = (await readGivenCode(values)) ?? (await promptForCode())
  const job = jobOf(words, values, { output, code, meeting })
  const stopKeys = watchKeys(process.stdin, keysOf(job, stopping))
  const startedAt = systemClock.monotonic()
  try {
    const result = await sendPaths(job, values.name, stopping.signal)
    const seconds = (systemClock.monotonic() - startedAt) / 1000
    const text = job.isDryRun ? `Dry run: ${describeVerdicts(result.verdicts)}` : describeResult(result, seconds)
    output.emit('done', { ...result, seconds }, text)
    return result.failures.length === 0 ? EXIT.done : EXIT.partial
  } finally {
    stopKeys()
    job.link.stop()
  }
}

function requirePaths(words: readonly string[], meeting: MeetOptions | undefined): void {
  if (meeting !== undefined && words.length === 0) throw new UsageError('send needs at least one path')
  if (meeting === undefined && words.length < 2) throw new UsageError('send needs at least one path and a host')
}

interface Given {
  readonly output: Output
  readonly code: string
  readonly meeting: MeetOptions | undefined
}

/** @throws UsageError, TransferError FILTER_INVALID, SCHEDULE_INVALID */
function jobOf(words: readonly string[], values: SendValues, given: Given): Job {
  const { output, code, meeting } = given
  const paths = meeting === undefined ? words.slice(0, -1) : words
  const target =
    meeting === undefined ? { ...endpointOf(words.at(-1) ?? ''), code } : { meeting, code: roomCodeOf(code) }
  if (paths.includes('-') && paths.length > 1) throw new UsageError('standard input is sent by itself')
  if (paths[0] === '-' && values.code === '-')
    throw new UsageError('standard input holds the code or the file, not both')
  const isDryRun = values['dry-run'] === true
  const isChecksum = values.checksum === true
  if (isDryRun && isChecksum) throw new UsageError('--dry-run compares sizes and times, so --checksum has no meaning')
  const filter = filterRules(values)
  // The disk thread compiles it; an invalid pattern is refused before connecting.
  createFilter(filter)
  return {
    roots: paths[0] === '-' ? [] : paths.map((path) => resolve(path)),
    filter,
    target,
    link: linkSettings(values),
    hash: oneOf('hash', values.hash, ['blake3', 'sha256']),
    existing: existingPolicy(values),
    isChecksum,
    isDryRun,
    links: values.links === true,
    output,
    control: { task: undefined, isPaused: false, bitsPerSecond: 0, hasMet: false },
  }
}

/** @throws UsageError for more than one of them */
function existingPolicy(values: SendValues): ExistingPolicy {
  const wanted = [
    ['update', values.update],
    ['keep-existing', values['ignore-existing']],
    ['overwrite', values.overwrite],
  ] as const
  const chosen = wanted.filter(([, isWanted]) => isWanted === true)
  if (chosen.length > 1) throw new UsageError('only one of --update, --ignore-existing and --overwrite can hold')
  return chosen[0]?.[0] ?? 'keep-newer'
}

function keysOf(job: Job, stopping: AbortController) {
  const { control, link, output } = job
  return {
    togglePause(): void {
      control.isPaused = !control.isPaused
      control.task?.setPaused(control.isPaused)
      output.emit('paused', { isPaused: control.isPaused }, control.isPaused ? 'paused; space goes on' : 'going on')
    },
    scaleRate(factor: number): void {
      const rate = link.scaleRate(factor, control.bitsPerSecond)
      output.emit('rate', { bitsPerSecond: rate }, `at most ${(rate / 1e6).toFixed(1)} Mbit/s`)
    },
    stop: () => stopping.abort(),
  }
}

/** Standard input becomes a file first. */
async function sendPaths(job: Job, name: string | undefined, signal: AbortSignal): Promise<TransferResult> {
  if (job.roots.length > 0) return sendUntilDone(job, signal)
  await using spooled = await spool(process.stdin, name, signal)
  return await sendUntilDone({ ...job, roots: [spooled.path] }, signal)
}

async function sendUntilDone(job: Job, signal: AbortSignal): Promise<TransferResult> {
  let idleTries = 0
  for (;;) {
    const attempt = { movedBytes: 0 }
    try {
      return await sendOnce(job, attempt, signal)
    } catch (error) {
      idleTries = attempt.movedBytes > 0 ? 0 : idleTries + 1
      if (signal.aborted) throw new TransferError('CANCELLED', {}, { cause: error })
      if (lacksWay(error)) throw new TransferError('NO_DIRECT_WAY', {}, { cause: error })
      if (!isWorthRetrying(error, job.control.hasMet))
        throw error instanceof RendezvousError ? refusalOfServer(error) : error
      if (idleTries > MAX_IDLE_TRIES) throw lost(error)
      const text = error instanceof Error ? error.message : 'unknown'
      job.output.emit('retry', { reason: text }, `no connection (${text}), trying again`)
      // A stop ends the wait; the next attempt ends at once by the same signal.
      await sleep(RETRY_MS[Math.min(idleTries, RETRY_MS.length - 1)], undefined, { signal }).catch(() => undefined)
    }
  }
}

function lost(error: unknown): TransferError {
  if (error instanceof TransferError) return error
  return new TransferError(
    'PEER_LOST',
    { reason: error instanceof Error ? error.message : 'unknown' },
    { cause: error },
  )
}

/** A lost peer may come back; every other error is final. */
function isWorthRetrying(error: unknown, hasMet: boolean): boolean {
  // The server may not have noticed yet that this program has lost its last connection.
  if (error instanceof RendezvousError) return error.isReceiverAway || (error.isTaken && hasMet)
  if (error instanceof TransferError) return error.code === 'PEER_LOST'
  const code = codeOf(error)
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === 'ETIMEDOUT' ||
    code === 'EHOSTUNREACH' ||
    code === 'EPIPE'
  )
}

async function sendOnce(job: Job, attempt: { movedBytes: number }, signal: AbortSignal): Promise<TransferResult> {
  const { roots, filter, links } = job
  // First: a thread takes a tenth of a second to start, which the handshake hides.
  const source = startDiskSource({ roots, filter, links }, () => systemClock.monotonic())
  try {
    const connection = await connectTo(job, signal)
    return await sendOver({ connection, source }, job, { attempt, signal })
  } finally {
    await source.close()
  }
}

async function connectTo(job: Job, signal: AbortSignal): Promise<Connection> {
  const { link, target } = job
  if ('meeting' in target) return meetAt(target, job)
  const connecting = connect({
    ...target,
    tls: CLIENT_TLS,
    proof: proveCode(target.code),
    udp: link.udp,
    encrypted: link.encrypted,
    packetSize: link.packetSize,
    settings: link.settings,
    signal,
  })
  try {
    return await connecting
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

async function meetAt({ meeting, code }: Extract<Target, { meeting: MeetOptions }>, job: Job): Promise<Connection> {
  try {
    const connection = await connectVia(meeting, code, job.link)
    job.control.hasMet = true
    return connection
  } catch (error) {
    if (error instanceof RendezvousError) throw error
    // Whatever ended it, the server or the receiver is away.
    throw refusalOf(error) ?? lost(error)
  }
}

function refusalOf(cause: unknown): TransferError | undefined {
  const refused = (reason: string): TransferError => new TransferError('PEER_REFUSED', { reason }, { cause })
  if (cause instanceof ProofError) return refused('the code is not the one that gwt recv shows')
  if (cause instanceof RefusedError) return refused(cause.message)
  return codeOf(cause) === OTHER_KEY ? refused('the other side speaks another version of gwt') : undefined
}

async function sendOver(
  { connection, source }: { connection: Connection; source: Source },
  job: Job,
  { attempt, signal }: { attempt: { movedBytes: number }; signal: AbortSignal },
): Promise<TransferResult> {
  const { link, output, control } = job
  const skipped: FileFailure[] = []
  // The task closes the connection itself, also when it fails: the peer must receive the cancel first.
  const task = sendFiles(
    {
      channel: connection,
      source,
      nowMs: () => systemClock.monotonic(),
      cpu: threadCpu,
      events: eventsOf(job, skipped, attempt),
    },
    {
      taskId: taskIdOf(job.roots),
      hash: job.hash,
      existing: job.existing,
      isChecksum: job.isChecksum,
      isDryRun: job.isDryRun,
      limitBitsPerSecond: () => link.limit.rate(),
      signal,
    },
  )
  control.task = task
  if (control.isPaused) task.setPaused(true)
  const result = await task.result
  const stats = connection.stats()
  output.emit(
    'stats',
    { ...stats.session, ...processUse(), engines: stats.engines, tcpSentBytes: stats.tcpSentBytes },
    stats.engines,
  )
  return { ...result, failures: [...result.failures, ...skipped] }
}

function eventsOf(job: Job, skipped: FileFailure[], attempt: { movedBytes: number }): EngineEvents {
  const { output, control } = job
  return {
    progress(progress) {
      attempt.movedBytes = progress.bytesMoved
      control.bitsPerSecond = progress.bytesPerSecond * 8
      output.progress(progress)
    },
    path: (report) => output.emit('path', { ...report }, report.text),
    accepted: (keeps) => output.emit('kept', { ...keeps }, describeKept(keeps, job.links)),
    verdict(path, verdict) {
      if (job.isDryRun) output.emit('verdict', { path, verdict }, `${DRY_RUN[verdict]} ${path}`)
    },
    fileFailed: (failure) => output.emit('file-failed', { ...failure }, describeFailure(failure)),
    fileSkipped(one) {
      skipped.push(one)
      output.emit('skipped', { ...one }, `left out ${describeFailure(one)}`)
    },
  }
}

const DRY_RUN: Readonly<Record<Verdict, string>> = {
  new: 'would send',
  replaced: 'would replace',
  same: 'unchanged',
  newer: 'newer there, kept',
  existing: 'there, kept',
}

function filterRules(values: SendValues): FilterRules {
  return {
    include: values.include ?? [],
    exclude: values.exclude ?? [],
    ...(values['min-size'] === undefined ? {} : { minSize: sizeOf('min-size', values['min-size']) }),
    ...(values['max-size'] === undefined ? {} : { maxSize: sizeOf('max-size', values['max-size']) }),
  }
}

/** The same sources from the same machine are the same task, so a second attempt resumes where the first one stopped. */
function taskIdOf(roots: readonly string[]): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([hostname(), ...roots]))
    .digest()
    .subarray(0, 16)
}
