import { grantOfToken } from '../../identity/api-tokens/index.ts'
import { isUsable, usersStore } from '../../identity/users/index.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bucketOfRow } from './buckets.ts'
import { batchesStore } from './batches.store.ts'
import { abortUpload, expireUpload } from './intake.transitions.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { guestOf, targetOf } from './intake.grants.ts'
import type { LiveUpload } from './live-uploads.ts'
import { isSettled } from './intake.machine.ts'
import { uploadsStore } from './intake.store.ts'

/** Rows of one sweep; the next one takes the rest. */
const SWEEP_ROWS = 1_000
/** Hidden files younger than this may belong to an upload that is just being written down. */
const ORPHAN_MS = 24 * 3_600_000

/**
 * Ends what is past its time: unfinished uploads lose their bytes, answers of settled ones are forgotten. One whose storage is out of
 * reach keeps no other from its end; the next sweep takes it.
 */
export async function sweepExpired(deps: IntakeDeps): Promise<number> {
  const rows = await uploadsStore.expired(deps.db, deps.clock.now(), SWEEP_ROWS)
  for (const { id } of rows) {
    try {
      await endExpired(deps, id)
    } catch (thrown) {
      deps.log.warn({ err: thrown, uploadId: id }, 'an expired upload was not ended yet')
    }
  }
  return rows.length
}

async function endExpired(deps: IntakeDeps, id: string): Promise<void> {
  const live = await deps.live.get(id)
  if (live === undefined || live.state === 'processing') return
  await expireUpload(deps, live)
  if (!isSettled(live.state)) return
  await inTransaction(deps.db, (tx) => uploadsStore.remove(tx, id))
  deps.live.forget(id)
}

/** Removes hidden files that no upload owns, left by a crash between the file and its row. */
export async function sweepOrphans(deps: IntakeDeps): Promise<number> {
  let removed = 0
  for (const store of deps.files.storages.all()) {
    const owned = new Set(await uploadsStore.ownedStoreIds(deps.db))
    try {
      for await (const { upload } of store.listUploads(deps.clock.now() - ORPHAN_MS)) {
        if (owned.has(upload.id)) continue
        await store.abortUpload(upload)
        removed++
      }
    } catch (thrown) {
      // One that is out of reach must not leave the others full.
      deps.log.warn({ err: thrown }, 'a storage was not swept of what no upload owns')
    }
  }
  return removed
}

/**
 * After an installation was rebuilt: what was not finished had its bytes on the old disk and is begun anew.
 * @returns how many uploads that are
 */
export async function failUnfinished({ db, quotas }: Pick<IntakeDeps, 'db' | 'quotas'>): Promise<number> {
  const rows = [...(await uploadsStore.inState(db, 'open')), ...(await uploadsStore.inState(db, 'processing'))]
  for (const row of rows) {
    const { id, reserved_bytes: reserved } = row
    await inTransaction(db, async (tx) => {
      const change = { state: 'failed', reserved_bytes: 0, publishing: null } as const
      if (
        !(await uploadsStore.change(
          tx,
          id,
          { states: ['open', 'processing'], reservedBytes: Number(reserved) },
          change,
        ))
      )
        return
      await quotas.releaseBytes(tx, bucketOfRow(row), Number(reserved))
      await uploadsStore.removeSpans(tx, id)
    })
  }
  return rows.length
}

/** Stops the uploads of an account at once and takes back its grants. Their bytes stay, for a new sign-in to go on with. */
export async function revokeUploads(deps: IntakeDeps, userId: string): Promise<void> {
  const reason = new AppError('TOKEN_INVALID')
  const mine = deps.live.ofUser(userId).filter(({ row }) => row.link_id === '')
  for (const live of mine) live.row = { ...live.row, grant_hash: null }
  await Promise.all([uploadsStore.revokeGrantsOf(deps.db, userId), ...mine.map((live) => live.stopWriters(reason))])
}

/**
 * Gives up every unfinished upload of an account that is gone, with its bytes.
 * @returns whether none is left; what is becoming a file right now is not given up any more
 */
export async function endUploadsOf(deps: IntakeDeps, userId: string): Promise<boolean> {
  let left = 0
  for (const id of await uploadsStore.unfinishedIdsOf(deps.db, userId)) {
    const live = await deps.live.get(id)
    if (live === undefined) continue
    try {
      await abortUpload(deps, live)
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !IS_BUSY.has(thrown.code)) throw thrown
      left++
    }
  }
  return left === 0 && !(await batchesStore.isOpenFor(deps.db, userId))
}

/** It is being published, by this node or another. */
const IS_BUSY: ReadonlySet<string> = new Set(['UPLOAD_BUSY', 'UPLOAD_NOT_FOUND'])

/**
 * Finds accounts that another process locked, removed or gave a new password, and API tokens that count no longer, while
 * their parts are running.
 */
export async function checkRunning(deps: IntakeDeps): Promise<void> {
  const written = deps.live.written()
  await Promise.all(written.filter(({ row }) => row.link_id !== '').map((live) => checkGuest(deps, live)))
  const ofAccounts = written.filter(({ row }) => row.link_id === '')
  const byUser = Map.groupBy(ofAccounts, (live) => live.row.user_id)
  for (const [userId, uploads] of byUser) {
    const user = await usersStore.byId(deps.db, userId)
    const stamp = user && isUsable(user, deps.clock.now()) ? hashToken(user.password_hash) : undefined
    if (uploads.some(({ row }) => row.grant_stamp !== stamp)) await revokeUploads(deps, userId)
  }
  await Promise.all(ofAccounts.filter(({ row }) => row.api_token_id !== '').map((live) => checkToken(deps, live)))
}

/** What an API token began that was revoked or has expired: only its account goes on with it. */
async function checkToken(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  const { db, clock } = deps
  if ((await grantOfToken({ db, clock }, { id: live.row.api_token_id })) !== undefined) return
  const unbound = { grant_hash: null, api_token_id: '' }
  live.row = { ...live.row, ...unbound }
  await uploadsStore.change(db, live.id, { states: ['open'] }, unbound)
  await live.stopWriters(new AppError('TOKEN_INVALID'))
}

/** A guest's parts end with the link, and with the right of its owner. */
async function checkGuest(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  try {
    await targetOf(deps, live, guestOf(live.row))
  } catch (thrown) {
    // A database that is away takes no right away.
    if (thrown instanceof AppError && thrown.status < 500) await live.stopWriters(thrown)
  }
}
