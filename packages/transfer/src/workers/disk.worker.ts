import * as fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import { loadSyncFilesystem } from '../files/sync-filesystem.ts'
import type { DiskReply, DiskRequest } from './disk-requests.ts'
import { DiskServer } from './disk-server.ts'

/** The disk thread of one side of a transfer. A reading thread is spared the native package. */
const syncFilesystem = workerData === 'write' ? await loadSyncFilesystem() : undefined
const disk = syncFilesystem === undefined ? fs : { ...fs, syncFilesystem }
const server = new DiskServer(disk, () => systemClock.monotonic())

parentPort?.on('message', (message: DiskRequest) => {
  parentPort?.postMessage(answer(message))
})

function answer(message: DiskRequest): DiskReply {
  try {
    return { id: message.id, result: server.perform(message) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = error instanceof TransferError ? error.code : 'TARGET_UNWRITABLE'
    return { id: message.id, error: { code, message: cause instanceof Error ? cause.message : 'unknown' } }
  }
}
