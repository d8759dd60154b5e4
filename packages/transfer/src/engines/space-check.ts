import { TransferError } from '../errors/transfer-error.ts'
import type { Target } from '../targets/target.ts'

/** Detects that a transfer does not fit as soon as its list shows it, not when the disk is full. */
export class SpaceCheck {
  readonly #target: Target
  #isMeasured = false
  /** Bytes of this transfer that had a place when it was last measured; more need another look. */
  #enough = 0

  constructor(target: Target) {
    this.#target = target
  }

  /**
   * @param total bytes that were announced so far
   * @param done those of them that need no more space
   * @throws TransferError DISK_FULL
   */
  async require(total: number, done: number): Promise<void> {
    if (this.#isMeasured && total <= this.#enough) return
    const freeBytes = (await this.#target.freeBytes()) ?? Infinity
    const neededBytes = total - done
    if (neededBytes > freeBytes) {
      throw new TransferError('DISK_FULL', { needed: megabytes(neededBytes), free: megabytes(freeBytes) })
    }
    this.#isMeasured = true
    this.#enough = done + freeBytes
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
