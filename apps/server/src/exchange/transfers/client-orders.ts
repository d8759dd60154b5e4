import type { ClientDownload, ClientOutcome, ClientSync, ClientUpload } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import { openSyncFolder, openUploadFolder } from './transfer-folders.ts'
import { requireClients } from './transfers.service.ts'

/*
 * A page hands a transfer to the desktop client. The client asks for a ticket by itself, with a credential of its own, so that the
 * transfer outlives the session of the page; rights are checked here as well, so that the page learns at once what is refused.
 */

/** @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND, CLIENT_TRANSFER_NOT_ALLOWED, CLIENT_NOT_CONNECTED, RATE_LIMITED */
export async function uploadByClient(deps: TransfersDeps, ctx: UserCtx, order: ClientUpload): Promise<ClientOutcome> {
  await requireClients(deps, ctx.principal, order.spaceId)
  deps.state.requireOpen()
  await deps.ticketLimit.take(ctx.principal.id)
  const { path } = await openUploadFolder(deps, ctx, order)
  return deps.clients.transfer(ctx.principal, { name: 'upload', ...order, folder: path })
}

/** @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND, CLIENT_TRANSFER_NOT_ALLOWED, CLIENT_NOT_CONNECTED, RATE_LIMITED */
export async function downloadByClient(
  deps: TransfersDeps,
  ctx: UserCtx,
  order: ClientDownload,
): Promise<ClientOutcome> {
  const { spaceId, groupId, paths } = order
  await requireClients(deps, ctx.principal, spaceId)
  deps.state.requireOpen()
  await deps.ticketLimit.take(ctx.principal.id)
  const opened = await deps.downloads.openSource({ principal: ctx.principal, place: { spaceId, groupId }, paths })
  await opened.source.close()
  return deps.clients.transfer(ctx.principal, { name: 'download', ...order })
}

/**
 * @throws AppError EDITION_FEATURE_MISSING, SYNC_OFF, PERMISSION_DENIED, PATH_NOT_FOUND, CLIENT_TRANSFER_NOT_ALLOWED, CLIENT_NOT_CONNECTED,
 *   RATE_LIMITED
 */
export async function syncByClient(
  deps: TransfersDeps,
  ctx: UserCtx,
  wanted: Omit<ClientSync, 'restMs'>,
): Promise<ClientOutcome> {
  await requireClients(deps, ctx.principal, wanted.spaceId)
  await deps.ticketLimit.take(ctx.principal.id)
  const { path: folder, restMs } = await openSyncFolder(deps, ctx, wanted)
  return deps.clients.transfer(ctx.principal, { name: 'sync', ...wanted, folder, restMs })
}
