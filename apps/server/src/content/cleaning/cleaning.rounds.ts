import { appendOperations } from '../../foundation/operation-log/index.ts'
import { storagesStore } from '../../foundation/storages/index.ts'
import type { Log } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { toAppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import type { RecycleFile } from '../recycle/index.ts'
import { eachDue, type CleaningDeps, type Due } from './cleaning.due.ts'
import type { CleaningRow } from './cleaning.schema.ts'
import { ruleOf } from './cleaning.service.ts'
import { cleaningStore } from './cleaning.store.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** A round of cleaning is over, and moved files into the bin of this account. */
    readonly 'storage.cleaned': {
      readonly storageId: number
      readonly userId: string
      readonly files: number
      readonly bytes: number
      readonly at: number
    }
  }
}

export interface CleaningWork extends CleaningDeps {
  readonly log: Pick<Log, 'warn'>
  readonly recycle: RecycleFile
}

const DAY_MS = 24 * 3_600_000
/** Longer than any age. */
const ACCESSES_KEPT_MS = 400 * DAY_MS

/** Moves what is too old on every storage into the recycle bin: once a day each, and when it is asked for. */
export async function cleanStorages(work: CleaningWork, signal: AbortSignal): Promise<void> {
  const { db, clock } = work
  await cleaningStore.removeOlder(db, clock.now() - ACCESSES_KEPT_MS)
  for (const row of await cleaningStore.all(db)) {
    const isOfToday = row.ran_at !== null && clock.now() - Number(row.ran_at) < DAY_MS
    if (!isOfToday || row.asked_at !== null || row.began_at !== null) await attemptRound(work, row, signal)
  }
}

/** One storage that is away keeps no other from its turn. */
async function attemptRound(work: CleaningWork, row: CleaningRow, signal: AbortSignal): Promise<void> {
  try {
    await cleanStorage(work, row, signal)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    work.log.warn({ err: thrown, storageId: row.storage_id }, 'a storage was not cleaned; it will be tried again')
  }
}

/** A round that was broken off goes on: what it had moved is in the bin, and counted. */
async function cleanStorage(work: CleaningWork, row: CleaningRow, signal: AbortSignal): Promise<void> {
  const { db, clock } = work
  const rule = ruleOf(row)
  const began = { ...row, began_at: row.began_at ?? clock.now() }
  await cleaningStore.change(db, row.storage_id, { began_at: began.began_at })
  let skipped = 0
  for await (const due of eachDue(work, { storageId: row.storage_id, rule, signal })) {
    // Another rule, or none any more: nothing goes by this one from here on.
    if (!(await isStill(work, row))) break
    if (!(await isMoved(work, row.storage_id, due))) skipped++
  }
  await inTransaction(db, (tx) => endRound(work, { tx, row: began, skipped }))
}

async function isStill({ db }: CleaningWork, row: CleaningRow): Promise<boolean> {
  const now = await cleaningStore.of(db, row.storage_id)
  return now?.basis === row.basis && now.days === row.days
}

async function isMoved(work: CleaningWork, storageId: number, { place, file }: Due): Promise<boolean> {
  const { db, log, recycle } = work
  try {
    await recycle({ ...place, ...file })
  } catch (thrown) {
    // In use, changed meanwhile, or gone: the next round looks again.
    if (toAppError(thrown).status >= 500) log.warn({ err: thrown, storageId }, 'a file was not cleaned')
    return false
  }
  const moved = { storage_id: storageId, user_id: place.ownerId, files: 1, bytes: file.size }
  await inTransaction(db, (tx) => cleaningStore.addMoved(tx, moved))
  return true
}

interface EndedRound {
  readonly tx: Tx
  readonly row: CleaningRow
  readonly skipped: number
}

/** What it did is written down, in the log and for those whose files it moved. */
async function endRound({ clock }: CleaningWork, { tx, row, skipped }: EndedRound): Promise<void> {
  const { storage_id: storageId, basis, days } = row
  const moved = await cleaningStore.moved(tx, storageId)
  const files = moved.reduce((sum, each) => sum + each.files, 0)
  const bytes = moved.reduce((sum, each) => sum + Number(each.bytes), 0)
  await cleaningStore.forgetMoved(tx, storageId)
  await cleaningStore.ran(tx, row, { ran_at: clock.now(), files, bytes, skipped })
  for (const each of moved) {
    const facts = { storageId, userId: each.user_id, files: each.files, bytes: Number(each.bytes), at: clock.now() }
    await recordEvent({ tx, clock }, 'storage.cleaned', facts)
  }
  if (files === 0) return
  const name = (await storagesStore.byId(tx, storageId))?.name ?? ''
  const actor = { id: '', account: '', door: 'schedule', address: '', userAgent: '', requestId: '' }
  const things = [{ kind: 'storage', id: storageId, name, after: { files, bytes, basis, days } }]
  await appendOperations({ clock }, tx, { actor, operation: 'storage.clean', things })
}
