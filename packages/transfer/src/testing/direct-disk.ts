import * as fs from 'node:fs'
import type { DiskFs } from '../files/disk-fs.ts'
import type { ScanOptions } from '../files/scan.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import { listDisk } from '../sources/disk-source.ts'
import type { Source } from '../sources/source.ts'
import { diskTarget } from '../targets/disk-target.ts'
import type { Target } from '../targets/target.ts'
import type { CallDisk } from '../workers/disk-requests.ts'
import { DiskServer } from '../workers/disk-server.ts'

export const KEEPS_NOTHING: KeptAttributes = { permissions: false, links: false, holes: false }

/** Disk calls without a thread, on the real disk or one that fails. */
function callDirectly(disk: DiskFs): CallDisk {
  const server = new DiskServer({ ...fs, ...disk }, () => 0)
  return async (name, request) =>
    // `perform` returns the result of the call it is given.
    server.perform({ name, request } as Parameters<DiskServer['perform']>[0])
}

export function directSource(scan: ScanOptions, disk: DiskFs = fs): Source {
  const call = callDirectly(disk)
  return {
    list: (onSkipped) => listDisk(call, scan, onSkipped),
    read: (request) => call('read', request),
    close: async () => undefined,
  }
}

export function directTarget(root: string, disk: DiskFs = fs, keeps = KEEPS_NOTHING): Target {
  return diskTarget(callDirectly(disk), root, keeps)
}
