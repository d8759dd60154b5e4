import { AppError } from '../../kernel/errors.ts'
import { isConnected } from './transfers.machine.ts'
import type { TransferRow } from './transfers.schema.ts'
import { transfersStore } from './transfers.store.ts'
import { stopReasonOf, type TransferRun } from './transfer-run.ts'
import { TransferShares } from './transfer-shares.ts'
import type { TransfersDeps } from './transfers.deps.ts'

/** A running transfer ends within 5 s after a lock, a lost right or a cancel in another process. */
export const RECHECK_MS = 3_000

/** Transfers of one process at once, and of one account among them. */
const RUNS_MAX = 200
const RUNS_PER_USER = 20
/** A client whose ticket was accepted is connected sooner, or gone. */
const EXPECTED_MS = 15_000

/** Transfers whose client is connected to this process. */
export class TransferRuns {
  readonly #deps: TransfersDeps
  readonly #runs = new Map<string, TransferRun>()
  readonly #shares: TransferShares
  /** Admitted, and not connected yet. */
  readonly #expected = new Map<string, { readonly owner: string; readonly until: number }>()
  readonly #ends: Array<() => void>

  constructor(deps: TransfersDeps) {
    this.#deps = deps
    const { bus, clock } = deps
    this.#shares = new TransferShares(clock)
    this.#ends = [
      bus.subscribe('user.revoked', ({ userId }) => this.#recheckSoon(({ user_id: owner }) => owner === userId)),
      bus.subscribe('transfer.changed', ({ transfer }, origin) => {
        if (origin === 'elsewhere') this.#recheckSoon(({ id }) => id === transfer.transferId)
      }),
    ]
  }

  /**
   * Keeps a place for a connection that `add` follows for, in a moment. One that comes back to its transfer has its place already.
   * @returns false when this process or the account has as many transfers as it may have
   */
  reserve({ id, user_id: userId }: Pick<TransferRow, 'id' | 'user_id'>): boolean {
    const now = this.#deps.clock.monotonic()
    for (const [other, { until }] of this.#expected) if (until <= now) this.#expected.delete(other)
    const others = new Map([...this.#expected].map(([other, { owner }]) => [other, owner]))
    for (const [other, { record }] of this.#runs) others.set(other, record.row.user_id)
    const isBack = others.delete(id)
    const ofAccount = Array.from(others.values()).filter((owner) => owner === userId).length
    if (!isBack && (others.size >= RUNS_MAX || ofAccount >= RUNS_PER_USER)) return false
    this.#expected.set(id, { owner: userId, until: now + EXPECTED_MS })
    return true
  }

  /** Of several connections of a transfer the newest goes on. */
  add(run: TransferRun): void {
    const { id } = run.record.row
    this.#expected.delete(id)
    this.#runs.get(id)?.stop('replaced')
    this.#runs.set(id, run)
    void run.over.then(() => {
      if (this.#runs.get(id) === run) this.#runs.delete(id)
    })
  }

  /** Resolves when the files of its last connection are closed. */
  async ended(id: string): Promise<void> {
    await this.#runs.get(id)?.over
  }

  /** Brings a run in line with its row and with the rights of now. */
  async recheckOne(id: string): Promise<void> {
    const run = this.#runs.get(id)
    if (run === undefined) return
    const row = await transfersStore.byId(this.#deps.db, id)
    if (row === undefined) return run.stop('cancelled')
    const reason = stopReasonOf(row.state)
    if (reason !== undefined) return run.stop(reason)
    // That it is connected may not be written down yet.
    if (!isConnected(row.state) && isConnected(run.record.row.state)) return run.stop('stopping')
    if (!(await this.#mayGoOn(run, row))) return run.stop('revoked')
    if (isConnected(row.state)) run.changed(row)
    run.setPaused(row.is_paused === 1)
  }

  async #mayGoOn(run: TransferRun, row: TransferRow): Promise<boolean> {
    try {
      return await run.renew(row)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.status < 500) return false
      // A database that is away takes no right away.
      this.#deps.log.warn({ err: thrown, transferId: row.id }, 'checking the rights of a transfer failed')
      return true
    }
  }

  /** How many clients send to this process. */
  get uploads(): number {
    return Array.from(this.#runs.values()).filter(({ record }) => record.row.direction === 'upload').length
  }

  /** Shares the line among them. */
  share(): void {
    this.#shares.share([...this.#runs.values()])
  }

  async recheck(): Promise<void> {
    for (const id of [...this.#runs.keys()]) {
      await this.recheckOne(id).catch((thrown: unknown) => {
        // A database that is away takes no right away.
        this.#deps.log.warn({ err: thrown, transferId: id }, 'checking a transfer failed')
      })
    }
  }

  #recheckSoon(isMeant: (row: TransferRow) => boolean): void {
    const isAffected = [...this.#runs.values()].some(({ record }) => isMeant(record.row))
    if (isAffected) void this.recheck()
  }

  /** Clients come back once the server does. */
  async stop(): Promise<void> {
    for (const end of this.#ends) end()
    const runs = [...this.#runs.values()]
    for (const run of runs) run.stop('stopping')
    await Promise.all(runs.map(({ over }) => over))
  }
}
