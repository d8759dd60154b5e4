import { Semaphore } from '@godwit/base'

export interface FairLimits {
  readonly total: number
  /** Of these, what one owner may hold, so that nobody keeps the others out alone. */
  readonly perOwner: number
}

interface Share {
  readonly places: Semaphore
  users: number
}

/** Admits holders while there are places for them and for their owner; the others wait in order of arrival. */
export class FairSemaphore {
  readonly #limits: FairLimits
  readonly #all: Semaphore
  readonly #owners = new Map<string, Share>()

  constructor(limits: FairLimits) {
    this.#limits = limits
    this.#all = new Semaphore(limits.total)
  }

  /**
   * @param holder places: 1 up to the limit of an owner
   * @throws RangeError for more places than there will ever be; the signal's reason
   */
  async run<T>(
    holder: { readonly owner: string; readonly signal: AbortSignal; readonly places?: number },
    work: () => Promise<T>,
  ): Promise<T> {
    const { owner, signal, places = 1 } = holder
    const share = this.#owners.get(owner) ?? { places: new Semaphore(this.#limits.perOwner), users: 0 }
    this.#owners.set(owner, share)
    share.users++
    try {
      return await share.places.run(() => this.#all.run(work, signal, places), signal, places)
    } finally {
      share.users--
      if (share.users === 0) this.#owners.delete(owner)
    }
  }
}
