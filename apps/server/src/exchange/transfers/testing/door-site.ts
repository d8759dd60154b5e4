import { secureRandom } from '@godwit/base'
import { sendFiles, type SendTask, type Source } from '@godwit/transfer'
import { channelPair, type MemoryChannel } from '@godwit/transfer/testing'
import { IntakeSite } from '../../../content/intake/testing/intake-site.ts'
import { openVault } from '../../../kernel/crypto/index.ts'
import type { Log } from '../../../kernel/context.ts'
import { openWorld } from '../../../testing/worlds.ts'
import { type ControlDeps, controlTransfer } from '../transfer-control.ts'
import { createTransferDoor, type Admitted, type TransferDoor } from '../transfer-door.ts'
import { emptyRow } from '../transfer-books.ts'
import { TransferRuns } from '../transfer-runs.ts'
import { boundTo } from '../transfers.principals.ts'
import type { TransferRow } from '../transfers.schema.ts'
import { transfersStore } from '../transfers.store.ts'
import { ticketOf } from '../transfers.tickets.ts'

const ADDRESS = '192.0.2.7'
const DAY_MS = 86_400_000

/** A connection, by its two ends. */
export interface Line {
  readonly sending: SendTask
  readonly channel: MemoryChannel
}

/** The door of uploads by clients without a network, so that a test decides what happens between two steps of it. */
export class DoorSite implements AsyncDisposable {
  readonly intake: IntakeSite
  readonly deps: ControlDeps
  readonly warned: string[] = []
  readonly #door: TransferDoor

  private constructor(intake: IntakeSite, change: Partial<IntakeSite['deps']>) {
    this.intake = intake
    const { database, clock, ids, bus, folder } = intake.world
    const log: Log = { info: () => {}, warn: (_details, text) => void this.warned.push(text ?? ''), error: () => {} }
    const deps = {
      ...{ db: database.db, clock, ids, bus, log, vault: openVault(folder, secureRandom) },
      ...{ files: intake.deps.files, intake: { ...intake.deps, ...change } },
      clientSettings: () => Promise.resolve({ cTransEncryptSwitch: 0 }),
    } as unknown as ControlDeps
    const runs = new TransferRuns(deps)
    this.deps = { ...deps, runs }
    this.#door = createTransferDoor(this.deps, runs)
  }

  /** @param change of what the intake works with */
  static async open(change: Partial<IntakeSite['deps']> = {}): Promise<DoorSite> {
    const intake = await IntakeSite.open(await openWorld())
    await intake.nextAccount()
    return new DoorSite(intake, change)
  }

  /** Of an upload that a client has been given a ticket for. @returns its id */
  async issue(): Promise<string> {
    const { db, clock, ids } = this.deps
    const now = clock.now()
    const id = ids.next()
    await transfersStore.insert(db, {
      ...emptyRow(now),
      ...(await boundTo(this.deps, this.intake.ctx.principal)),
      ...{ id, state: 'waiting', direction: 'upload', space_id: 1, group_id: 0, folder: '/', label: 'Photos' },
      ...{ device: 'Laptop', address: '', door: 'transfer', expires_at: now + DAY_MS },
    })
    return id
  }

  /** The server has looked at the ticket, and the client is not connected yet. */
  async admit(id: string): Promise<Admitted> {
    const admitted = await this.#door.admit(Buffer.from(ticketOf(this.deps.vault, id)), ADDRESS)
    if (typeof admitted === 'string') throw new Error(admitted)
    return admitted
  }

  /** @param task uploads of one account with the same one are one task */
  begin(admitted: Admitted, source: Source, task: number): Line {
    const [near, channel] = channelPair()
    admitted.begin(near)
    const taskId = Buffer.alloc(16, task)
    const sending = sendFiles({ channel, source, nowMs: () => performance.now() }, { taskId, hash: 'blake3' })
    // Whoever wants to know asks later.
    sending.result.catch(() => undefined)
    return { sending, channel }
  }

  async row(id: string): Promise<TransferRow> {
    const row = await transfersStore.byId(this.deps.db, id)
    if (row === undefined) throw new Error('no such transfer')
    return row
  }

  async cancel(id: string): Promise<TransferRow> {
    return controlTransfer(this.deps, await this.row(id), 'cancel')
  }

  /** Paths of the uploads of the account that are not complete. */
  async unfinished(): Promise<string[]> {
    const rows = await this.intake.intake.unfinishedOf(this.intake.alice.id)
    return rows.map(({ row }) => row.path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deps.runs.stop()
    await this.intake[Symbol.asyncDispose]()
  }
}
