import type { SyncDirection } from '@godwit/contract'
import { placeOf, requireFolder, type PlaceIds } from '../../content/access/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import type { TransferRow } from './transfers.schema.ts'

/** Also where every change counts, a file is not sent while it is being written. */
const REST_MS = 10_000
const LONG_REST_MS = 60_000

interface WantedFolder extends PlaceIds {
  readonly folder: string
}

/** @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND */
export async function openUploadFolder(deps: TransfersDeps, ctx: UserCtx, wanted: WantedFolder) {
  return openFolder(deps, ctx, wanted, 'uploadFile')
}

/**
 * A folder that is kept in sync with one of a computer: what is new on one side comes to the other by itself, as the edition, the
 * switch of the account or the group, and rights allow.
 * @returns with how long a file must not have changed before it goes
 * @throws AppError EDITION_FEATURE_MISSING, SYNC_OFF, PERMISSION_DENIED, PATH_NOT_FOUND
 */
export async function openSyncFolder(
  deps: TransfersDeps,
  ctx: UserCtx,
  wanted: WantedFolder & { readonly direction: SyncDirection },
) {
  await deps.licence.requireFeature('sync')
  const { transSyncSwitch, transSyncTriggeringCondition } = await deps.rulesOf(ctx.principal.id, wanted)
  if (transSyncSwitch !== 1) throw new AppError('SYNC_OFF')
  const opened = await openFolder(deps, ctx, wanted, wanted.direction === 'upload' ? 'hotFolderUp' : 'hotFolderDown')
  return { path: opened.path, restMs: transSyncTriggeringCondition === 1 ? LONG_REST_MS : REST_MS }
}

/** Whether somebody might begin this transfer now. @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND */
export async function requireBegin(deps: TransfersDeps, ctx: UserCtx, row: TransferRow): Promise<void> {
  const place = { spaceId: row.space_id, groupId: row.group_id }
  if (row.direction === 'upload') {
    await openUploadFolder(deps, ctx, { ...place, folder: row.folder })
    return
  }
  const { source } = await deps.downloads.openSource({ principal: ctx.principal, place, paths: pathsOf(row) })
  await source.close()
}

/** What a download by a client consists of. */
export function pathsOf({ paths }: Pick<TransferRow, 'paths'>): readonly string[] {
  return JSON.parse(paths) as readonly string[]
}

async function openFolder(
  deps: TransfersDeps,
  { principal }: UserCtx,
  wanted: WantedFolder,
  need: 'uploadFile' | 'hotFolderUp' | 'hotFolderDown',
) {
  const opened = await deps.files.access.open({ principal }, placeOf(wanted), wanted.folder, need)
  await requireFolder(opened)
  return opened
}
