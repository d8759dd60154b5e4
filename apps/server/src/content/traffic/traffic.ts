import type { Ctx } from '../../kernel/context.ts'
import type { PlaceIds } from '../access/index.ts'

/** Who moves bytes, from where and by which door. */
export type Mover = Pick<Ctx, 'principal' | 'door' | 'address' | 'userAgent'>

/** A file, or several that leave together, about to be moved. */
export interface Moving extends PlaceIds {
  readonly direction: 'upload' | 'download'
  /** Path of the first one. */
  readonly path: string
  readonly files: number
  /** Bytes of all of them; null where nobody knows yet. */
  readonly size: number | null
  /** The transfer that the caller says it belongs to. */
  readonly transferId?: string | undefined
  /** Tells one content from a later one at the same path; '' where that does not matter. */
  readonly tag?: string
  /** Ends it, when its transfer is cancelled. */
  readonly stop?: () => void
}

/**
 * - done: all of it is where it belongs
 * - skipped: nothing had to be moved
 * - left: whoever asked for it went away or gave it up
 */
export type Ended =
  | (EndedContent & { readonly outcome: 'done' | 'skipped' | 'left' })
  | (EndedContent & { readonly outcome: 'failed'; readonly code: string })

/** What it was, as it was begun. */
type EndedContent = Required<Pick<Moving, 'path'>> & Pick<Moving, 'tag' | 'stop'>

/** Small files that arrived in one go. */
export interface Arrival extends Omit<Moving, 'size' | 'direction' | 'path' | 'files'> {
  readonly results: ReadonlyArray<Ended & { readonly size: number }>
}

/** The transfer that something counts in, and whose that must be: what a caller names may be somebody else's. */
export interface Booked {
  readonly transfer_id: string
  readonly user_id: string
}

/** Keeps account of what is moved. Every call returns at once and never fails: nothing waits for the books. */
export interface TrafficLog {
  /** @returns the transfer it counts in; '' when it is nobody's */
  begin(mover: Mover, moving: Moving): string
  /** More bytes are durable, or have left. */
  moved(booked: Booked, bytes: number): void
  end(booked: Booked, ended: Ended): void
  arrived(mover: Mover, arrival: Arrival): void
  /** Whether an account's transfer began before a moment and is not over. */
  hasBegun(userId: string, wanted: BegunTransfer): Promise<boolean>
}

export interface BegunTransfer {
  readonly transferId: string
  /** Unix milliseconds. */
  readonly before: number
}

/** Reports of uploads and downloads, passed on to whoever keeps the books; nobody does before `follow`. */
export class Traffic implements TrafficLog {
  #log: TrafficLog | undefined

  follow(log: TrafficLog): void {
    this.#log = log
  }

  begin(mover: Mover, moving: Moving): string {
    return this.#log?.begin(mover, moving) ?? ''
  }

  moved(booked: Booked, bytes: number): void {
    if (booked.transfer_id !== '' && bytes > 0) this.#log?.moved(booked, bytes)
  }

  end(booked: Booked, ended: Ended): void {
    if (booked.transfer_id !== '') this.#log?.end(booked, ended)
  }

  arrived(mover: Mover, arrival: Arrival): void {
    this.#log?.arrived(mover, arrival)
  }

  async hasBegun(userId: string, wanted: BegunTransfer): Promise<boolean> {
    return (await this.#log?.hasBegun(userId, wanted)) ?? false
  }
}
