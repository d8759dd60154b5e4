import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { licencesStore } from './licence.store.ts'

/** A licence whose traffic is counted. */
export interface CountedLicence {
  /** Row of the licence. */
  readonly rowId: string
  /** Null: counted without an end. */
  readonly trafficBytes: number | null
}

/**
 * Counts the bytes of all transfers of this process. It sets bytes aside in the database before they pass, so that a killed
 * process has never transferred more than was counted, and nodes together never more than the licence allows.
 */
export interface TrafficMeter {
  /**
   * Lets bytes pass: undefined when they may at once.
   * @throws AppError TRAFFIC_INSUFFICIENT, in the promise
   */
  take(licence: CountedLicence, bytes: number): Promise<void> | undefined
  /** Gives back what was set aside and not used, unless bytes passed since the last call. */
  settle(): Promise<void>
  /** The same, whatever passed. */
  stop(): Promise<void>
}

const BLOCK_BYTES = 64 * 1024 * 1024
/** Of what is left no node takes more than this part at once: the others need some too. */
const SHARE = 8

export function createTrafficMeter({ db }: { readonly db: Db }): TrafficMeter {
  let aside = { rowId: '', bytes: 0 }
  let hasPassed = false
  /** One at a time goes to the database. */
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }

  function pass({ rowId }: CountedLicence, bytes: number): boolean {
    if (aside.rowId !== rowId || aside.bytes < bytes) return false
    aside.bytes -= bytes
    hasPassed = true
    return true
  }

  async function giveBack(): Promise<void> {
    const { rowId, bytes } = aside
    aside = { rowId: '', bytes: 0 }
    if (bytes > 0) await licencesStore.use(db, rowId, -bytes, null)
  }

  async function setAside(licence: CountedLicence, bytes: number): Promise<void> {
    if (aside.rowId !== licence.rowId) await giveBack()
    for (;;) {
      if (pass(licence, bytes)) return
      const missing = bytes - aside.bytes
      const left =
        licence.trafficBytes === null
          ? Infinity
          : licence.trafficBytes - (await licencesStore.usedBytes(db, licence.rowId))
      if (left < missing) throw new AppError('TRAFFIC_INSUFFICIENT')
      const block = Math.max(missing, Math.min(BLOCK_BYTES, Math.floor(left / SHARE)))
      // Another node may have been faster: then there is less, and it is looked at anew.
      if (await licencesStore.use(db, licence.rowId, block, licence.trafficBytes))
        aside = { rowId: licence.rowId, bytes: aside.bytes + block }
    }
  }

  return {
    take: (licence, bytes) => (pass(licence, bytes) ? undefined : inTurn(() => setAside(licence, bytes))),
    async settle() {
      if (!hasPassed && aside.bytes > 0) await inTurn(giveBack)
      hasPassed = false
    },
    stop: () => inTurn(giveBack),
  }
}
