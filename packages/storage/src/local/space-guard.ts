import type { Clock } from '@godwit/base'
import { StorageError } from '../errors.ts'
import type { Disk } from './disk.ts'

/** How much may be written, and for how long, before free space is measured again. */
const REFRESH_BYTES = 64 * 1024 * 1024
const REFRESH_MS = 1000

/**
 * Keeps a reserve of the disk free, so that sign-in, deletion and the database keep working when users have filled the rest.
 * Exact to REFRESH_BYTES: the last measurement is kept, and bytes admitted since are subtracted.
 */
export class SpaceGuard {
  readonly #disk: Disk
  readonly #clock: Clock
  readonly #reserve: number
  #free = 0
  #sinceBytes = REFRESH_BYTES
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(disk: Disk, clock: Clock, reserve: number) {
    this.#disk = disk
    this.#clock = clock
    this.#reserve = reserve
  }

  /** @param path anything on the filesystem concerned @throws StorageError 'no-space' */
  async admit(path: string, byteCount: number): Promise<void> {
    const fresh = this.#sinceBytes < REFRESH_BYTES && this.#clock.monotonic() - this.#askedAt < REFRESH_MS
    if (!fresh || this.#free - byteCount < this.#reserve) await this.#measure(path)
    if (this.#free - byteCount < this.#reserve) throw new StorageError('no-space')
    this.#free -= byteCount
    this.#sinceBytes += byteCount
  }

  /** Whether `byteCount` would fit now, without taking them. @throws StorageError 'no-space' */
  async check(path: string, byteCount: number): Promise<void> {
    await this.#measure(path)
    if (this.#free - byteCount < this.#reserve) throw new StorageError('no-space')
  }

  async #measure(path: string): Promise<void> {
    this.#free = (await this.#disk.space(path)).freeBytes
    this.#sinceBytes = 0
    this.#askedAt = this.#clock.monotonic()
  }
}
