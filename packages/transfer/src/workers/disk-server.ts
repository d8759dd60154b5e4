import type { DiskFs } from '../files/disk-fs.ts'
import { Listing } from '../files/listing.ts'
import type { ScanFs } from '../files/scan.ts'
import { SourceDisk } from '../files/source-disk.ts'
import { TargetDisk } from '../files/target-disk.ts'
import { VisibleFiles } from '../files/visible-files.ts'
import type { DiskCalls, DiskRequest } from './disk-requests.ts'

type Unnumbered<Request> = Request extends DiskRequest ? Omit<Request, 'id'> : never

/** Serves the calls of one side of one transfer. Synchronous: it runs in a thread of its own. */
export class DiskServer {
  readonly #fs: DiskFs & ScanFs
  readonly #source: SourceDisk
  readonly #target: TargetDisk
  #listing: Listing | undefined

  constructor(disk: DiskFs & ScanFs, nowMs: () => number) {
    this.#fs = disk
    this.#source = new SourceDisk(disk, nowMs)
    this.#target = new TargetDisk(disk, nowMs)
  }

  /** @throws TransferError */
  perform(call: Unnumbered<DiskRequest>): DiskCalls[keyof DiskCalls]['result'] {
    switch (call.name) {
      case 'list':
        this.#listing = new Listing(this.#fs, call.request)
        return this.#listing.next()
      case 'listMore':
        return this.#listing?.next() ?? { items: [], skipped: [], isEnd: true }
      case 'read':
        return this.#source.read(call.request)
      case 'open':
        return this.#target.open(call.request)
      case 'write':
        return this.#target.write(call.request)
      case 'adopt':
        return this.#target.adopt(call.request)
      case 'makeEmpty':
        return this.#target.makeEmpty(call.request)
      case 'look':
        return new VisibleFiles(this.#fs, call.request.root).look(call.request.paths)
      case 'matches':
        return new VisibleFiles(this.#fs, call.request.root).matches(call.request.spans, call.request.hash)
      case 'freeBytes':
        return new VisibleFiles(this.#fs, call.request.root).freeBytes()
      case 'setAttributes':
        new VisibleFiles(this.#fs, call.request.root).setAttributes(call.request.entries, call.request.keeps)
        return undefined
      case 'commit':
        return this.#target.commit()
      case 'close':
        this.#source.close()
        this.#target.close(call.request)
        return undefined
    }
  }
}
