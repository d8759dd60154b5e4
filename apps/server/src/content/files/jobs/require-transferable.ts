import type { UserCtx } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { nameOf, newWithin, placeOf, requireEntry, requireFolder, requireNothingHidden } from '../../access/index.ts'
import { bucketOf } from '../../quotas/index.ts'
import { measureArriving } from '../measure-tree.ts'
import type { FileJobsDeps } from './job-deps.ts'
import { isAcross, needsOf, requireMovable, targetOf, type TransferRequest } from './start-transfer.ts'

/**
 * Refuses a copy or move of one entry for what its job would refuse it for later, before something makes way for it: rights, its
 * name and type, what is forbidden below it, and the quota. Whether the name is taken is not asked.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, FILE_TYPE_NOT_ALLOWED, TARGET_INSIDE_SOURCE, QUOTA_EXCEEDED
 */
export async function requireTransferable(
  { files: { access }, quotas }: Pick<FileJobsDeps, 'files' | 'quotas'>,
  ctx: UserCtx,
  { kind, request }: { readonly kind: 'copy' | 'move'; readonly request: TransferRequest },
): Promise<void> {
  const { signal } = ctx
  const { groupId, targetGroupId = groupId, paths } = request
  const [path = '/'] = paths
  const isOut = isAcross(ctx.principal, request, path)
  const needs = needsOf(kind, request, isOut)
  const folder = await requireFolder(await access.open(ctx, targetOf(request), request.target, needs.here.file))
  const { location, entry } = await requireEntry(await access.open(ctx, placeOf(request), path, needs.source))
  const isFolder = entry.kind === 'folder'
  if (isFolder) location.require(needs.sourceFolder)
  requireMovable(location, folder)
  const name = request.as ?? nameOf(location)
  const to = newWithin(folder, { name, kind: entry.kind, need: needs.here[entry.kind] })
  if (kind === 'move' && isFolder) {
    // What goes entry by entry leaves out what may not be there.
    const goesByEntry = location.store !== folder.store || (isOut && (folder.restrictsTypes || to.mayHideBelow))
    await requireNothingHidden(location, goesByEntry ? { signal } : { signal, to })
  }
  if (kind === 'move' && !isOut) return
  const tree = isFolder ? await measureArriving({ from: location, to }, { needs: needs.here, signal }) : undefined
  const wantedBytes = tree?.bytes ?? entry.size
  const { usedBytes, quotaBytes } = await quotas.usageOf(bucketOf({ userId: ctx.principal.id, groupId: targetGroupId }))
  if (quotaBytes > 0 && usedBytes + wantedBytes > quotaBytes)
    throw new AppError('QUOTA_EXCEEDED', { quotaBytes, usedBytes, reservedBytes: 0, wantedBytes })
}
