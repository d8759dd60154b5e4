import * as fs from 'node:fs'
import type { DiskFs } from '../files/disk.types.ts'
import { Listing } from '../files/listing.ts'
import { SourceDisk } from '../files/source-disk.ts'
import { TargetDisk } from '../files/target-disk.ts'
import type { DiskJobs } from '../workers/disk-jobs.ts'

/** Disk jobs without a thread, over the real disk or one that fails. */
export function directDisk(disk: DiskFs = fs): DiskJobs {
  const nowMs = (): number => 0
  const [source, target] = [new SourceDisk(disk, nowMs), new TargetDisk(disk, nowMs)]
  let listing: Listing | undefined
  return {
    async list(options) {
      listing = new Listing(fs, options)
      return listing.next()
    },
    async listMore() {
      return listing?.next() ?? { items: [], skipped: [], isEnd: true }
    },
    readChunk: async (request) => source.readChunk(request),
    openTarget: async (request) => target.open(request),
    writeChunk: async (request) => target.writeChunk(request),
    adoptLeaf: async (piece) => target.adoptLeaf(piece),
    makeEmpty: async (entries) => target.makeEmpty(entries),
    place: async () => target.place(),
    async closeTarget(request) {
      source.close()
      target.close(request)
    },
    async stop() {},
  }
}
