import * as fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import { Listing } from '../files/listing.ts'
import { SourceDisk } from '../files/source-disk.ts'
import { loadSyncFilesystem } from '../files/sync-filesystem.ts'
import { TargetDisk } from '../files/target-disk.ts'
import type { DiskReply, DiskRequest } from './disk-jobs.ts'

/** The disk thread of one transfer side. */
const nowMs = (): number => systemClock.monotonic()
// A reading thread is spared the native package.
const syncFilesystem = workerData === 'write' ? await loadSyncFilesystem() : undefined
const source = new SourceDisk(fs, nowMs)
let listing: Listing | undefined
const target = new TargetDisk(syncFilesystem === undefined ? fs : { ...fs, syncFilesystem }, nowMs)

parentPort?.on('message', (message: DiskRequest & { readonly id: number }) => {
  parentPort?.postMessage(answer(message))
})

function answer(message: DiskRequest & { readonly id: number }): DiskReply {
  try {
    return { id: message.id, result: perform(message) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = error instanceof TransferError ? error.code : 'TARGET_UNWRITABLE'
    return { id: message.id, error: { code, message: cause instanceof Error ? cause.message : 'unknown' } }
  }
}

function perform(message: DiskRequest): unknown {
  switch (message.job) {
    case 'list':
      listing = new Listing(fs, message.request)
      return listing.next()
    case 'listMore':
      return listing?.next()
    case 'readChunk':
      return source.readChunk(message.request)
    case 'openTarget':
      return target.open(message.request)
    case 'writeChunk':
      return target.writeChunk(message.request)
    case 'adoptLeaf':
      return target.adoptLeaf(message.request)
    case 'makeEmpty':
      return target.makeEmpty(message.request)
    case 'place':
      return target.place()
    case 'closeTarget':
      source.close()
      return target.close(message.request)
  }
}
