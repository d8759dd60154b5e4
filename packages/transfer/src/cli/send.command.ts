import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { connect, type Connection } from '@godwit/transport/node'
import type { TransferResult } from '../engines/engine.types.ts'
import { sendFiles } from '../engines/send-engine.ts'
import { TransferError } from '../errors/transfer-error.ts'
import { codeOf } from '../files/disk-calls.ts'
import { createFilter, type FilterRules } from '../filters/filter.ts'
import type { HashName } from '../hashes/tree-hash.ts'
import { startDiskSource } from '../sources/disk-source.ts'
import type { FileFailure, Source } from '../sources/source.ts'
import { endpointOf, EXIT, oneOf, sizeOf, UsageError, type Values } from './arguments.ts'
import { describeResult, type Output } from './output.ts'
import { processUse, threadCpu } from './process-use.ts'
import { linkSettings, type LinkSettings } from './settings.ts'
import { clientTls } from './shared-code.ts'

/** Waits between attempts after a lost connection, milliseconds; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 6000]
/** Attempts in a row that brought nothing before the command gives up. */
const MAX_IDLE_TRIES = 20

/** What TLS says when the other side has another shared key. */
const OTHER_CODE = 'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR'

/** gwt send PATH... HOST[:PORT] */
export async function send(words: readonly string[], values: Values, output: Output): Promise<number> {
  const target = words.at(-1)
  const roots = words.slice(0, -1).map((path) => resolve(path))
  if (target === undefined || roots.length === 0) throw new UsageError('send needs at least one path and a host')
  if (values.code === undefined) throw new UsageError('send needs --code, as shown by gwt recv')
  const filter = filterRules(values)
  // The disk thread compiles it; a pattern nobody understands is refused before anything is connected.
  createFilter(filter)
  const endpoint = endpointOf(target)
  const hash = oneOf('hash', values.hash, ['blake3', 'sha256'])
  const link = linkSettings(values)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const begun = systemClock.monotonic()
  try {
    const result = await sendUntilDone(
      { roots, filter, target: endpoint, code: values.code, link, hash, output },
      stopping.signal,
    )
    const seconds = (systemClock.monotonic() - begun) / 1000
    output.say('done', { ...result, seconds }, describeResult(result, seconds))
    return result.failures.length === 0 ? EXIT.done : EXIT.partial
  } finally {
    link.stop()
  }
}

interface Job {
  readonly roots: readonly string[]
  readonly filter: FilterRules
  readonly target: { host: string; port: number }
  readonly code: string
  readonly link: LinkSettings
  readonly hash: HashName
  readonly output: Output
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
      if (!isWorthRetrying(error)) throw error
      if (idleTries > MAX_IDLE_TRIES) throw lost(error)
      const text = error instanceof Error ? error.message : 'unknown'
      job.output.say('retry', { reason: text }, `no connection (${text}), trying again`)
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

/** A lost peer may come back; everything else stays as it is. */
function isWorthRetrying(error: unknown): boolean {
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
  // First: a thread takes a tenth of a second to start, which the handshake hides.
  const source = startDiskSource({ roots: job.roots, filter: job.filter }, () => systemClock.monotonic())
  try {
    const connection = await connectTo(job, signal)
    return await sendOver({ connection, source }, job, { attempt, signal })
  } finally {
    await source.close()
  }
}

async function connectTo(job: Job, signal: AbortSignal): Promise<Connection> {
  const { link } = job
  const connecting = connect({
    ...job.target,
    tls: clientTls(job.code),
    udp: link.udp,
    encrypted: link.encrypted,
    packetSize: link.packetSize,
    settings: link.settings,
    signal,
  })
  try {
    return await connecting
  } catch (error) {
    if (codeOf(error) !== OTHER_CODE) throw error
    throw new TransferError('PEER_REFUSED', { reason: 'the code is not the one that gwt recv shows' }, { cause: error })
  }
}

async function sendOver(
  { connection, source }: { connection: Connection; source: Source },
  job: Job,
  { attempt, signal }: { attempt: { movedBytes: number }; signal: AbortSignal },
): Promise<TransferResult> {
  const { link, output } = job
  const skipped: FileFailure[] = []
  // It closes the connection itself, also when it fails: a cancel has to be told first.
  const task = sendFiles(
    {
      channel: connection,
      source,
      nowMs: () => systemClock.monotonic(),
      cpu: threadCpu,
      events: {
        progress(progress) {
          attempt.movedBytes = progress.bytesMoved
          output.progress(progress)
        },
        path: (report) => output.say('path', { ...report }, report.text),
        fileFailed: (failure) => output.say('file-failed', { ...failure }, `${failure.path}: ${failure.code}`),
        fileSkipped(one) {
          skipped.push(one)
          output.say('skipped', { ...one }, `left out ${one.path}: ${one.code}`)
        },
      },
    },
    {
      taskId: taskIdOf(job.roots),
      hash: job.hash,
      limitBitsPerSecond: () => link.limit.rate(),
      signal,
    },
  )
  const result = await task.result
  const stats = connection.stats()
  output.say(
    'stats',
    { ...stats.session, ...processUse(), engines: stats.engines, tcpSentBytes: stats.tcpSentBytes },
    stats.engines,
  )
  return { ...result, failures: [...result.failures, ...skipped] }
}

function filterRules(values: Values): FilterRules {
  return {
    include: values.include ?? [],
    exclude: values.exclude ?? [],
    ...(values['min-size'] === undefined ? {} : { minSize: sizeOf('min-size', values['min-size']) }),
    ...(values['max-size'] === undefined ? {} : { maxSize: sizeOf('max-size', values['max-size']) }),
  }
}

/** The same sources from the same machine are the same task, so a second try goes on where the first one stopped. */
function taskIdOf(roots: readonly string[]): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([hostname(), ...roots]))
    .digest()
    .subarray(0, 16)
}
