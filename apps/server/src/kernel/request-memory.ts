import os from 'node:os'
import { MiB } from '@godwit/base'
import { AppError } from './errors.ts'
import { FairSemaphore } from './fair-semaphore.ts'

/** Bytes that one request or connection holds at the moment. */
export interface Lease {
  /** @param bytes more than before @throws AppError SERVER_BUSY, with what was held before still held */
  grow(bytes: number): void
  shrink(bytes: number): void
  /** Returns everything. May be called again. */
  release(): void
}

export interface PoolLimits {
  readonly totalBytes: number
  /** Of these, what one owner (an account, or the network of a stranger) may hold. */
  readonly ownerBytes: number
}

/** How long a caller that found no memory should wait. What holds it is gone by then, or was cut for being slow. */
const RETRY_AFTER_SECONDS = 5

/** Memory that bodies and answers of one kind may hold together. Nobody waits for it: what does not fit is refused. */
export class MemoryPool {
  readonly #limits: PoolLimits
  readonly #owners = new Map<string, number>()
  #heldBytes = 0

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  lease(owner: string): Lease {
    let leased = 0
    const shrink = (bytes: number): void => {
      const returned = Math.min(bytes, leased)
      leased -= returned
      this.#add(owner, -returned)
    }
    return {
      grow: (bytes) => {
        this.#require(owner, bytes)
        leased += bytes
        this.#add(owner, bytes)
      },
      shrink,
      release: () => shrink(leased),
    }
  }

  #require(owner: string, bytes: number): void {
    const { totalBytes, ownerBytes } = this.#limits
    const ownedBytes = this.#owners.get(owner) ?? 0
    if (this.#heldBytes + bytes > totalBytes || ownedBytes + bytes > ownerBytes) {
      throw new AppError('SERVER_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  }

  #add(owner: string, bytes: number): void {
    this.#heldBytes += bytes
    const owned = (this.#owners.get(owner) ?? 0) + bytes
    if (owned === 0) this.#owners.delete(owner)
    else this.#owners.set(owner, owned)
  }
}

/** One budget for all bodies and answers in memory, divided by kind, so that a flood of one kind leaves the others alone. */
export interface RequestMemory {
  /** Bodies and frames of callers who have not proven who they are. */
  readonly strangers: MemoryPool
  /** JSON bodies, frames and answers of known callers. */
  readonly calls: MemoryPool
  /** File operations under way: the result of one may have 20,000 entries. */
  readonly operations: FairSemaphore
  /** Packs of small files, each of which is in memory as a whole. */
  readonly packBytes: number
  /** Bytes of streamed bodies that nobody has taken yet. */
  readonly streamBytes: number
}

/** For each operation that may run, in and beside the budget. */
const OPERATION_BYTES = 8 * MiB
const LEAST_BYTES = 128 * MiB
const MOST_BYTES = 416 * MiB

/** Bytes of memory that the process may use: what its container allows, or what the machine has. */
export function availableMemory(): number {
  const total = os.totalmem()
  const allowed = process.constrainedMemory()
  return allowed > 0 ? Math.min(allowed, total) : total
}

/** @param available bytes of memory that the process may use @returns bytes that bodies and answers may take of it */
export function requestMemoryBytes(available: number): number {
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.floor(available / 4)))
}

/** @param totalBytes at least 128 MiB, of which the largest pack takes five eighths */
export function createRequestMemory(totalBytes: number): RequestMemory {
  const sixteenth = Math.floor(totalBytes / 16)
  const operations = Math.floor(totalBytes / OPERATION_BYTES)
  return {
    strangers: new MemoryPool({ totalBytes: sixteenth, ownerBytes: Math.floor(sixteenth / 4) }),
    calls: new MemoryPool({ totalBytes: 3 * sixteenth, ownerBytes: Math.floor(1.5 * sixteenth) }),
    operations: new FairSemaphore({ total: operations, perOwner: Math.ceil(operations / 2) }),
    packBytes: 10 * sixteenth,
    streamBytes: 2 * sixteenth,
  }
}
