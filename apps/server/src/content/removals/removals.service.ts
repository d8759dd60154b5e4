import type { Clock } from '@godwit/base'
import { usersStore, type UserRow } from '../../identity/users/index.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import type { Origin } from '../file-events/index.ts'
import { removeMountsOf } from '../mounts/index.ts'
import { recordedUsage, type Quotas } from '../quotas/index.ts'
import type { FilesFate, RemovedAccountRow } from './removals.schema.ts'
import { removalsStore } from './removals.store.ts'

export interface RemovalDeps {
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
}

/** What is to become of the files, and who says so. */
export interface Fate {
  readonly files: FilesFate
  /** Who gets them, for `hand-over`. */
  readonly to?: UserRow | undefined
  readonly origin: Origin
  /** Account and id of whoever asks; '' for the command line. */
  readonly by: { readonly id: string; readonly account: string }
}

/** The system itself, where nobody is signed in. */
export const BY_SYSTEM: Pick<Fate, 'origin' | 'by'> = {
  origin: { by: { kind: 'system', id: '' }, door: 'schedule' },
  by: { id: '', account: '' },
}

/**
 * Removes an account within a transaction, with the job that sees to its files. Sessions, tokens and links go with the account;
 * publish `user.revoked` after it, so that what runs by them ends.
 */
export async function removeAccount({ clock, queue }: RemovalDeps, tx: Tx, user: UserRow, fate: Fate): Promise<void> {
  const { usedBytes } = await recordedUsage(tx, user.id)
  await removeMountsOf(tx, user.id, { origin: fate.origin, clock })
  if (!(await usersStore.remove(tx, user))) throw new AppError('ACCOUNT_NOT_FOUND')
  const { id, account, name, home } = user
  const kept = { id, account, name, home, removed_at: clock.now(), removed_by: fate.by.account, bytes: usedBytes }
  await removalsStore.insert(tx, { ...kept, folders: '{}', staged_on: 0, ...(await begin(queue, tx, id, fate)) })
}

/**
 * Says anew what becomes of files that were kept, or that could not be deleted or handed over.
 * @throws AppError ACCOUNT_NOT_FOUND, FILE_BUSY while a job is at work
 */
export async function settleRemoval(
  { queue }: Pick<RemovalDeps, 'queue'>,
  tx: Tx,
  row: RemovedAccountRow,
  fate: Fate,
): Promise<void> {
  if (row.state === 'done') throw new AppError('ACCOUNT_NOT_FOUND', { account: row.account })
  if (!(await removalsStore.take(tx, row.id, await begin(queue, tx, row.id, fate)))) throw new AppError('FILE_BUSY')
}

/** Also the files that stay need a job: it ends what the account had begun. */
async function begin(queue: Pick<Queue, 'add'>, tx: Tx, accountId: string, { files, to, origin, by }: Fate) {
  const payload = { accountId, origin }
  const job = await queue.add({ kind: 'account-files', ownerId: by.id, payload, progress: { bytes: 0 } }, tx)
  const receiver = { to_id: to?.id ?? '', to_account: to?.account ?? '' }
  return { files, state: 'working' as const, job_id: job.id, ...receiver, error: '' }
}

/**
 * Whether somebody may receive these bytes in addition to what they have.
 * @throws AppError QUOTA_EXCEEDED
 */
export async function requireRoom(
  { db, quotas }: { readonly db: Db; readonly quotas: Pick<Quotas, 'usageOf'> },
  to: Pick<UserRow, 'id'>,
  { fromId, promised }: { readonly fromId: string; readonly promised: number },
): Promise<number> {
  const { usedBytes: wantedBytes } = await recordedUsage(db, fromId)
  const { usedBytes, quotaBytes } = await quotas.usageOf(to.id)
  if (quotaBytes > 0 && usedBytes + promised + wantedBytes > quotaBytes)
    throw new AppError('QUOTA_EXCEEDED', { quotaBytes, usedBytes, reservedBytes: promised, wantedBytes })
  return wantedBytes
}
