/** A name that one holder has for a while. */
export interface Lease {
  /** Leases of one scope can be listed. */
  readonly scope: string
  readonly name: string
  /** Unique for each holder. */
  readonly owner: string
}

/** Where leases are kept. Time is the store's own, so that the clocks of nodes need not agree. */
export interface LeaseStore {
  /** Whether other processes take leases here too. */
  readonly isShared: boolean
  /**
   * Takes a lease that nobody holds, or whose time is over.
   * @param value what others are shown, at most 255 characters
   * @returns a number greater than that of every earlier holder of the name, and by one if the last one was within the
   *   hour; undefined while somebody holds it
   */
  take(lease: Lease, value: string, leaseMs: number): Promise<number | undefined>
  /** @returns false when it is not the owner's any more */
  renew(lease: Lease, leaseMs: number): Promise<boolean>
  /** Does nothing when it is not the owner's any more. */
  release(lease: Lease): Promise<void>
  /** What is held in a scope, by name. */
  held(scope: string): Promise<ReadonlyMap<string, string>>
  /** Forgets what nobody has held for an hour. */
  sweep(): Promise<void>
}
