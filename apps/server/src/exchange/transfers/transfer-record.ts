import type { FileFailure, TransferProgress } from '@godwit/transfer'
import { presentTransfer } from './transfers.present.ts'
import type { TransferRow } from './transfers.schema.ts'
import { applyEvent } from './transfers.service.ts'
import { transfersStore, type TransferChange } from './transfers.store.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import type { TransferEvent } from './transfers.machine.ts'

/** Pages are notified of progress this often, and the database a little less often. */
const PUBLISH_MS = 1_000
const WRITE_MS = 2_000

/** What is known of a running transfer. Its row follows at a distance; its end is written at once. */
export class TransferRecord {
  readonly #deps: Pick<TransfersDeps, 'db' | 'clock' | 'bus' | 'log'>
  #row: TransferRow
  /** What earlier connections moved. */
  readonly #movedBefore: number
  #progress: TransferChange = {}
  #lateMs = 0
  #publishedAt = -Infinity
  #writtenAt = -Infinity
  /** One write after another. */
  #writes: Promise<void> = Promise.resolve()

  constructor(deps: Pick<TransfersDeps, 'db' | 'clock' | 'bus' | 'log'>, row: TransferRow) {
    this.#deps = deps
    this.#row = row
    this.#movedBefore = Number(row.bytes_moved)
  }

  get row(): TransferRow {
    return this.#row
  }

  /** With the progress of this moment, which is not written down yet. */
  get current(): TransferRow {
    return { ...this.#row, ...this.#progress, updated_at: this.#deps.clock.now() }
  }

  note(progress: TransferProgress): void {
    const { files, filesDone, bytes, bytesDone, bytesMoved, bytesPerSecond, bottleneck, path } = progress
    this.#progress = {
      ...{ files, files_done: filesDone, bytes, bytes_done: bytesDone },
      bytes_moved: this.#movedBefore + bytesMoved,
      bytes_per_second: Math.round(bytesPerSecond),
      ...{
        bottleneck: bottleneck?.name ?? '',
        bottleneck_figures: bottleneck === undefined ? '' : JSON.stringify(bottleneck.figures),
      },
      ...{ network_path: path.mode, path_reason: path.reason, late_ms: this.#lateMs },
    }
    const now = this.#deps.clock.monotonic()
    if (now - this.#publishedAt >= PUBLISH_MS) {
      this.#publishedAt = now
      const { user_id: userId } = this.#row
      this.#deps.bus.publish('transfer.changed', { userId, transfer: presentTransfer(this.current) })
    }
    if (now - this.#writtenAt >= WRITE_MS) {
      this.#writtenAt = now
      void this.#enqueue(() => this.#write())
    }
  }

  async #write(): Promise<void> {
    const change = { ...this.#progress, updated_at: this.#deps.clock.now() }
    await transfersStore.change(this.#deps.db, this.#row, change)
  }

  /** Writes down what happened, with the progress until then. */
  happened(event: TransferEvent, change: TransferChange = {}): Promise<void> {
    return this.#enqueue(async () => {
      const progress = { ...this.#progress, ...change }
      this.#row = await applyEvent(this.#deps, { id: this.#row.id, event, change: progress })
    })
  }

  /** The files that failed in this run take the place of those of the last one. */
  failed(failures: readonly FileFailure[]): Promise<void> {
    return this.#enqueue(() => transfersStore.replaceFiles(this.#deps.db, this.#row.id, failures))
  }

  /** Takes over what another process or a person changed. */
  changed(row: TransferRow): void {
    this.#row = row
  }

  /** By how much it will come too late. */
  late(ms: number): void {
    this.#lateMs = ms
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#writes = this.#writes.then(work).catch((thrown: unknown) => {
      this.#deps.log.warn({ err: thrown, transferId: this.#row.id }, 'writing down a transfer failed')
    })
    return this.#writes
  }
}
