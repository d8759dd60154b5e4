import type { CleaningBasis } from '@godwit/contract'
import { storagesStore } from '../../foundation/storages/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { eachDue, type CleaningDeps, type Due } from './cleaning.due.ts'
import type { CleaningRule } from './cleaning.policy.ts'
import type { CleaningRow } from './cleaning.schema.ts'
import { cleaningStore } from './cleaning.store.ts'

/** What an administrator decides. */
export interface WantedCleaning {
  readonly basis: CleaningBasis
  readonly days: number
}

export interface CleaningState extends CleaningRule {
  /** A round is under way, or begins within seconds. */
  readonly isBusy: boolean
  /** The last round that ended. */
  readonly last: LastRound | undefined
}

export interface LastRound extends Cleaned {
  readonly at: number
  readonly skipped: number
}

export interface Cleaned {
  readonly files: number
  readonly bytes: number
}

type Record = (tx: Tx, before: WantedCleaning | undefined) => Promise<void>

/**
 * Says from when on files of a storage are too old; the first round begins within seconds.
 * @throws AppError STORAGE_NOT_FOUND
 */
export async function setCleaning(
  { db, clock }: Pick<CleaningDeps, 'db' | 'clock'>,
  { storageId, rule }: { readonly storageId: number; readonly rule: WantedCleaning | undefined },
  record?: Record,
): Promise<void> {
  if ((await storagesStore.byId(db, storageId)) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  await inTransaction(db, async (tx) => {
    const known = await cleaningStore.of(tx, storageId)
    await record?.(tx, known === undefined ? undefined : wantedOf(known))
    if (rule === undefined) return cleaningStore.remove(tx, storageId)
    const since = known?.basis === rule.basis ? Number(known.since) : clock.now()
    const fresh = { storage_id: storageId, ran_at: null, files: 0, bytes: 0, skipped: 0, began_at: null }
    await cleaningStore.put(tx, { ...fresh, ...known, ...rule, since, asked_at: clock.now() })
  })
}

/** Has a storage cleaned within seconds. @throws AppError STORAGE_NOT_CLEANED without a rule */
export async function askForCleaning(
  { db, clock }: Pick<CleaningDeps, 'db' | 'clock'>,
  storageId: number,
): Promise<void> {
  const changed = await cleaningStore.change(db, storageId, { asked_at: clock.now() })
  if (changed === 0) throw new AppError('STORAGE_NOT_CLEANED')
}

/** @returns undefined for a storage that keeps everything */
export async function cleaningOf(
  { db }: Pick<CleaningDeps, 'db'>,
  storageId: number,
): Promise<CleaningState | undefined> {
  const row = await cleaningStore.of(db, storageId)
  if (row === undefined) return undefined
  const { ran_at: at, files, bytes, skipped } = row
  return {
    ...ruleOf(row),
    isBusy: row.asked_at !== null || row.began_at !== null,
    last: at === null ? undefined : { at: Number(at), files, bytes: Number(bytes), skipped },
  }
}

/** What a round would move now. */
export async function countDue(
  deps: CleaningDeps,
  storageId: number,
  rule: CleaningRule,
  signal: AbortSignal,
): Promise<Cleaned> {
  let [files, bytes] = [0, 0]
  for await (const { file } of eachDue(deps, { storageId, rule, signal })) {
    files++
    bytes += file.size
  }
  return { files, bytes }
}

export interface DuePreview extends Cleaned {
  /** The first of them. */
  readonly first: readonly Due[]
  /** False when there was no time to look at everything. */
  readonly isComplete: boolean
  /** Before this time nothing goes, whatever its age. */
  readonly from: number
}

const DAY_MS = 24 * 3_600_000
const FIRST = 10

/** What has the age of a rule, with the first names; looks for at most so long. @throws AppError STORAGE_NOT_FOUND */
export async function previewDue(
  deps: CleaningDeps,
  { storageId, rule }: { readonly storageId: number; readonly rule: WantedCleaning },
  timeoutMs: number,
): Promise<DuePreview> {
  if ((await storagesStore.byId(deps.db, storageId)) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  const known = await cleaningStore.of(deps.db, storageId)
  const since = known?.basis === rule.basis ? Number(known.since) : deps.clock.now()
  const from = rule.basis === 'access' ? since + rule.days * DAY_MS : 0
  const signal = AbortSignal.timeout(timeoutMs)
  const first: Due[] = []
  let [files, bytes] = [0, 0]
  const preview = (isComplete: boolean): DuePreview => ({ files, bytes, first, isComplete, from })
  try {
    // As if the rule had been made so long ago.
    for await (const due of eachDue(deps, { storageId, rule: { ...rule, since: 0 }, signal })) {
      files++
      bytes += due.file.size
      if (first.length < FIRST) first.push(due)
      if (signal.aborted) return preview(false)
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
    return preview(false)
  }
  return preview(true)
}

export function ruleOf(row: CleaningRow): CleaningRule {
  return { ...wantedOf(row), since: Number(row.since) }
}

function wantedOf({ basis, days }: CleaningRow): WantedCleaning {
  return { basis: basis === 'access' ? 'access' : 'modified', days }
}
