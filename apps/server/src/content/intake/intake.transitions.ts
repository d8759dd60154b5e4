import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bucketOfRow } from './buckets.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { nextState, type UploadEvent } from './intake.machine.ts'
import type { UploadRow } from './intake.schema.ts'
import type { Ended } from '../traffic/index.ts'
import { uploadsStore } from './intake.store.ts'
import type { Lease } from './leases.ts'
import { WHOLE } from './leases.ts'
import type { LiveUpload } from './live-uploads.ts'

interface Step {
  readonly event: UploadEvent
  readonly change: Partial<UploadRow>
}

/**
 * Takes a step of the machine, together with what belongs to it. It holds only if nobody changed the state or the
 * reservation since this process read them, so that a reservation ends exactly once.
 * @throws Error when the machine knows no such step; AppError UPLOAD_BUSY when another process was faster
 */
export async function takeStep(
  deps: IntakeDeps,
  live: LiveUpload,
  { event, change }: Step,
  also: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const from = live.state
  const to = nextState(from, event)
  if (to === undefined) throw new Error(`an upload that is ${from} cannot ${event}`)
  const changed = { ...change, state: to }
  const known = { states: [from], reservedBytes: Number(live.row.reserved_bytes) }
  await inTransaction(deps.db, async (tx) => {
    if (!(await uploadsStore.change(tx, live.id, known, changed))) throw new AppError('UPLOAD_BUSY')
    await also(tx)
  })
  live.row = { ...live.row, ...changed }
}

/** Leaves the upload for good: the reservation goes back, then the bytes. */
export async function endUpload(
  deps: IntakeDeps,
  live: LiveUpload,
  event: 'skip' | 'fail' | 'abort' | 'expire',
): Promise<void> {
  const reserved = live.row.reserved_bytes
  await takeStep(deps, live, { event, change: { reserved_bytes: 0, publishing: null } }, async (tx) => {
    await deps.quotas.releaseBytes(tx, bucketOfRow(live.row), Number(reserved))
    await uploadsStore.removeSpans(tx, live.id)
  })
  live.replaceSpans([])
  deps.traffic.end(live.row, endedBy(event, live.row.path))
  if (live.row.store_upload !== '') await live.store.abortUpload(live.stored)
}

function endedBy(event: 'skip' | 'fail' | 'abort' | 'expire', path: string): Ended {
  if (event === 'fail') return { outcome: 'failed', path, code: 'UPLOAD_FAILED' }
  return { outcome: event === 'skip' ? 'skipped' : 'left', path }
}

/**
 * Runs `work` while nobody else, on this node or another, writes to the upload or changes it as a whole. Writers are
 * stopped with `reason`. What is known of the upload is read again first.
 * @throws AppError UPLOAD_NOT_FOUND when it is gone
 */
export function withWholeUpload<T>(
  deps: IntakeDeps,
  live: LiveUpload,
  { reason, work }: { readonly reason: AppError; readonly work: (lease: Lease) => Promise<T> },
): Promise<T> {
  return live.inTurn(async () => {
    await live.stopWriters(reason)
    const subject = { table: 'uploads', id: live.id } as const
    return deps.leases.run({ subject, span: WHOLE, work: 'publish' }, async (lease) => {
      await deps.live.reload(live)
      return work(lease)
    })
  })
}

/** Gives up an unfinished upload and its bytes. @throws AppError UPLOAD_NOT_FOUND when there is nothing left to give up */
export async function abortUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  const reason = new AppError('UPLOAD_NOT_FOUND')
  await withWholeUpload(deps, live, {
    reason,
    work: async () => {
      if (nextState(live.state, 'abort') === undefined) throw reason
      await endUpload(deps, live, 'abort')
    },
  })
}

export async function expireUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  await withWholeUpload(deps, live, {
    reason: new AppError('UPLOAD_EXPIRED'),
    work: async () => {
      if (nextState(live.state, 'expire') !== undefined) await endUpload(deps, live, 'expire')
    },
  })
}

/** A writer found that the storage cannot be trusted with these bytes any more. */
export async function failOpenUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  await deps.live.refresh(live)
  // Published by another node, which is why the storage does not know the upload any more: nothing is lost.
  if (live.state !== 'open') return
  await endUpload(deps, live, 'fail')
}
