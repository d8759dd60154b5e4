import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { TransferError, type TransferErrorCode } from '../errors/transfer-error.ts'
import type { CallDisk, DiskReply } from './disk-requests.ts'

/** A thread that works on a disk for one side of one transfer. */
export interface DiskThread {
  readonly call: CallDisk
  /** Ends the thread. Calls under way are dropped. */
  stop(): Promise<void>
}

interface PendingCall {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Blocks are shared and hashes small, so a thread makes little garbage; by default it would keep up to 48 MiB of it. */
const YOUNG_MIB = 4

/** Starts a disk thread. Blocks cross by shared memory, everything else by message. */
export function startDiskThread(role: 'read' | 'write'): DiskThread {
  const cache = getCompileCacheDir()
  const worker = new Worker(new URL('./disk.worker.ts', import.meta.url), {
    workerData: role,
    // A thread does not share the cache of its process by itself; without it each one would load a compiler.
    ...(cache === undefined ? {} : { env: { NODE_COMPILE_CACHE: dirname(cache) } }),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  const pending = new Map<number, PendingCall>()
  let nextId = 1
  const call: CallDisk = (name, request) =>
    new Promise((resolve, reject) => {
      const id = nextId++
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, name, request })
    })
  worker.on('message', (reply: DiskReply) => {
    const one = pending.get(reply.id)
    pending.delete(reply.id)
    if (reply.error === undefined) one?.resolve(reply.result)
    else one?.reject(new TransferError(reply.error.code as TransferErrorCode, { reason: reply.error.message }))
  })
  const fail = (cause: unknown): void => {
    for (const one of pending.values()) one.reject(new Error('the disk thread ended', { cause }))
    pending.clear()
  }
  worker.on('error', fail)
  worker.on('exit', fail)
  return {
    call,
    async stop() {
      await worker.terminate()
    },
  }
}
