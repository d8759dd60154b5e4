import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { originOf } from '../file-events/index.ts'
import type { Carrier } from './intake.creation.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import type { LiveUpload } from './live-uploads.ts'

const BY_BROWSER: Carrier = 'parts'

/**
 * What a browser of the account has begun and not ended, the latest first: the same file, by path, size and time, goes on at its bytes.
 * Where it is another file after all, the hash of the whole one says so before it shows. Other tasks are left to themselves.
 */
export async function begunElsewhere(
  { db, clock }: Pick<IntakeDeps, 'db' | 'clock'>,
  { principal }: UserCtx,
): Promise<readonly UploadRow[]> {
  const rows = await uploadsStore.openOf(db, principal.id)
  const now = clock.now()
  return rows.filter(({ carrier, expires_at: end }) => carrier === BY_BROWSER && end > now)
}

/** From now on the upload is of this task, so that a later run of it finds what is there. @throws AppError UPLOAD_BUSY when it ended meanwhile */
export async function takeOver(
  { db }: Pick<IntakeDeps, 'db'>,
  ctx: UserCtx,
  { live, task }: { readonly live: LiveUpload; readonly task: string },
): Promise<void> {
  if (live.row.carrier === 'transfer' && live.row.metadata === task) return
  const change = { carrier: 'transfer', metadata: task, origin: JSON.stringify(originOf(ctx)) } as const
  if (!(await uploadsStore.change(db, live.id, { states: ['open'] }, change))) throw new AppError('UPLOAD_BUSY')
  live.row = { ...live.row, ...change }
}
