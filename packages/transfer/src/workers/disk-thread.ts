import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { TransferError, type TransferErrorCode } from '../errors/transfer-error.ts'
import type { DiskJobs, DiskReply, DiskRequest } from './disk-jobs.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Another thread is worth its memory when those that are there read for more than this share of the time, */
const BUSY_SHARE = 0.5
/** looked at so often. */
const LOOK_MS = 250

/**
 * Disk threads for a sender: reads of small files wait for the disk, one after another in each thread. Large ones need a single
 * thread, so it begins with that. Everything but reading goes to the first.
 * @param most threads
 */
export function startReadThreads(nowMs: () => number, most = 3): DiskJobs {
  const first = startDiskThread('read')
  const threads = [first]
  let next = 0
  let look = { at: nowMs(), busyMs: 0 }
  const addWhenBusy = (busyMs: number): void => {
    look.busyMs += busyMs
    const spanMs = nowMs() - look.at
    if (spanMs < LOOK_MS) return
    if (threads.length < most && look.busyMs > BUSY_SHARE * spanMs * threads.length)
      threads.push(startDiskThread('read'))
    look = { at: nowMs(), busyMs: 0 }
  }
  return {
    ...first,
    async readChunk(request) {
      const thread = threads[next++ % threads.length] ?? first
      const read = await thread.readChunk(request)
      addWhenBusy(read.busyMs)
      return read
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

/** Blocks are shared and hashes small, so a thread makes little garbage; by default it would keep up to 48 MiB of it. */
const YOUNG_MIB = 4

/** Starts a disk thread. Blocks cross by shared memory, everything else by message. */
export function startDiskThread(role: 'read' | 'write'): DiskJobs {
  const cache = getCompileCacheDir()
  const worker = new Worker(new URL('./disk.worker.ts', import.meta.url), {
    workerData: role,
    // A thread does not share the cache of its process by itself; without it each one would load a compiler.
    ...(cache === undefined ? {} : { env: { NODE_COMPILE_CACHE: dirname(cache) } }),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  const ask = <Result>(request: DiskRequest): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve: (value) => resolve(value as Result), reject })
      worker.postMessage({ id, ...request })
    })
  worker.on('message', (reply: DiskReply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.error === undefined) one?.resolve(reply.result)
    else one?.reject(new TransferError(reply.error.code as TransferErrorCode, { reason: reply.error.message }))
  })
  const fail = (cause: unknown): void => {
    for (const one of waiting.values()) one.reject(new Error('the disk thread ended', { cause }))
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', fail)
  return {
    list: (request) => ask({ job: 'list', request }),
    listMore: () => ask({ job: 'listMore' }),
    readChunk: (request) => ask({ job: 'readChunk', request }),
    openTarget: (request) => ask({ job: 'openTarget', request }),
    writeChunk: (request) => ask({ job: 'writeChunk', request }),
    adoptLeaf: (request) => ask({ job: 'adoptLeaf', request }),
    makeEmpty: (request) => ask({ job: 'makeEmpty', request }),
    place: () => ask({ job: 'place' }),
    closeTarget: (request) => ask({ job: 'closeTarget', request }),
    async stop() {
      await worker.terminate()
    },
  }
}
