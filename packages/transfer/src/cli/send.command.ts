import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { connect, type Connection } from '@godwit/transport/node'
import type { FileFailure, TransferResult } from '../engines/engine.types.ts'
import { sendFiles } from '../engines/send-engine.ts'
import { TransferError } from '../errors/transfer-error.ts'
import { listFiles } from '../files/listing.ts'
import { createFilter, type FilterRules } from '../filters/filter.ts'
import type { DiskJobs } from '../workers/disk-jobs.ts'
import { startReadThreads } from '../workers/disk-thread.ts'
import { endpointOf, EXIT, oneOf, sizeOf, UsageError, type Values } from './arguments.ts'
import { describeResult, type Output } from './output.ts'
import { processUse, threadCpu } from './process-use.ts'
import { linkSettings, type LinkSettings } from './settings.ts'
import { clientTls } from './shared-code.ts'

/** Waits between attempts after a lost connection, milliseconds; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 6000]
/** Attempts in a row that brought nothing before the command gives up. */
const MAX_IDLE_TRIES = 20

/** gwt send PATH... HOST[:PORT] */
export async function send(words: readonly string[], values: Values, output: Output): Promise<number> {
  const target = words.at(-1)
  const roots = words.slice(0, -1).map((path) => resolve(path))
  if (target === undefined || roots.length === 0) throw new UsageError('send needs at least one path and a host')
  if (values.code === undefined) throw new UsageError('send needs --code, as shown by gwt recv')
  const filter = filterRules(values)
  // The disk thread compiles it; a pattern nobody understands is refused before anything is connected.
  createFilter(filter)
  const link = linkSettings(values)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const begun = systemClock.monotonic()
  try {
    const result = await sendUntilDone(
      { roots, filter, target: endpointOf(target), code: values.code, link, values, output },
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
  readonly values: Values
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
      if (signal.aborted || !isWorthRetrying(error) || idleTries > MAX_IDLE_TRIES) throw error
      const text = error instanceof Error ? error.message : 'unknown'
      job.output.say('retry', { reason: text }, `connection lost (${text}), trying again`)
      await sleep(RETRY_MS[Math.min(idleTries, RETRY_MS.length - 1)], undefined, { signal })
    }
  }
}

/** A lost peer may come back; everything else stays as it is. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof TransferError) return error.code === 'PEER_LOST'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
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
  const disk = startReadThreads(() => systemClock.monotonic())
  try {
    const connection = await connectTo(job, signal)
    return await sendOver({ connection, disk }, job, { attempt, signal })
  } finally {
    await disk.stop()
  }
}

function connectTo(job: Job, signal: AbortSignal): Promise<Connection> {
  const { link } = job
  return connect({
    ...job.target,
    tls: clientTls(job.code),
    udp: link.udp,
    encrypted: link.encrypted,
    packetSize: link.packetSize,
    settings: link.settings,
    signal,
  })
}

async function sendOver(
  { connection, disk }: { connection: Connection; disk: DiskJobs },
  job: Job,
  { attempt, signal }: { attempt: { movedBytes: number }; signal: AbortSignal },
): Promise<TransferResult> {
  const { link, output, values } = job
  const skipped: FileFailure[] = []
  try {
    const task = sendFiles(
      {
        channel: connection,
        disk,
        nowMs: () => systemClock.monotonic(),
        cpu: threadCpu,
        events: {
          progress(progress) {
            attempt.movedBytes = progress.bytesDone
            output.progress(progress)
          },
          path: (report) => output.say('path', { ...report }, report.text),
          fileFailed: (failure) => output.say('file-failed', { ...failure }, `${failure.path}: ${failure.code}`),
        },
      },
      {
        taskId: taskIdOf(job.roots),
        hash: oneOf('hash', values.hash, ['blake3', 'sha256']),
        limitBitsPerSecond: () => link.limit.rate(),
        signal,
        items: listFiles(disk, { roots: job.roots, filter: job.filter }, (one) => {
          skipped.push(one)
          output.say('skipped', { ...one }, `left out ${one.path}: ${one.code}`)
        }),
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
  } finally {
    connection.close(0, 'done')
  }
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
