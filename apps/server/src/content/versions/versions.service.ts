import type { OperationReply, VersionItem } from '@godwit/contract'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { placeOf, requireEntry, type Found, type Location, type Need, type PlaceIds } from '../access/index.ts'
import { originOf, parseOrigin } from '../file-events/index.ts'
import { actorOf, requireVersion, revertFile } from '../files/index.ts'
import { versionsStore, type VersionRow } from '../quotas/index.ts'
import { removeVersion, type VersionsDeps } from './versions.upkeep.ts'

interface OfFile extends PlaceIds {
  readonly path: string
}

/**
 * The versions of a file, newest first.
 * @throws AppError PATH_NOT_FOUND, PATH_IS_FOLDER, PERMISSION_DENIED
 */
export async function listVersions(
  deps: VersionsDeps,
  ctx: UserCtx,
  request: OfFile,
): Promise<OperationReply<'versions'>> {
  const { location } = await requireFile(deps, ctx, { request, need: 'listVersions' })
  const rows = await versionsStore.ofFile(deps.db, { spaceId: request.spaceId, key: location.key })
  const names = await namesOf(deps, rows)
  return {
    items: rows.map((row) => present(row, names)),
    limit: await deps.files.versions.limitOf(location.place),
    mayRestore: location.permits('restoreVersion'),
    mayRemove: location.permits(removalNeed(location)),
  }
}

interface Opening {
  readonly request: OfFile
  readonly need: Need
}

async function requireFile({ files }: VersionsDeps, ctx: UserCtx, { request, need }: Opening): Promise<Found> {
  const found = await requireEntry(await files.access.open(ctx, placeOf(request), request.path, need))
  if (found.entry.kind === 'folder') throw new AppError('PATH_IS_FOLDER')
  return found
}

/** One's own files are one's own to clear up, as in the recycle bin; a group's are its administrators'. */
function removalNeed({ place }: Pick<Location, 'place'>): Need {
  return place.groupId <= 0 ? 'purge' : 'removeVersion'
}

async function namesOf({ db }: VersionsDeps, rows: readonly VersionRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(rows.map((row) => authorOf(row).id))
  const users = await Promise.all([...ids].map((id) => usersStore.byId(db, id)))
  return new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user.name || user.account]])))
}

function authorOf(row: VersionRow) {
  return parseOrigin(row.kept_by, row.user_id).by
}

function present(row: VersionRow, names: ReadonlyMap<string, string>): VersionItem {
  return {
    versionId: row.id,
    size: Number(row.size),
    time: Math.floor(Number(row.modified_at) / 1000),
    keptAt: Math.floor(Number(row.kept_at) / 1000),
    by: names.get(authorOf(row).id) ?? '',
    hash: row.hash,
  }
}

/**
 * Puts a version in the place of its file, whose content becomes a version, whatever the settings say: nothing is lost by it.
 * @throws AppError PATH_NOT_FOUND, VERSION_NOT_FOUND, PERMISSION_DENIED
 */
export async function restoreVersion(
  deps: VersionsDeps,
  ctx: UserCtx,
  request: OfFile & { readonly versionId: string },
): Promise<OperationReply<'restoreVersion'>> {
  const { location } = await requireFile(deps, ctx, { request, need: 'restoreVersion' })
  await revertFile(deps, location, { actor: actorOf(ctx), versionId: request.versionId })
  return { path: location.path }
}

/**
 * Deletes versions for good.
 * @throws AppError PATH_NOT_FOUND, VERSION_NOT_FOUND, PERMISSION_DENIED, FILE_BUSY
 */
export async function removeVersions(
  deps: VersionsDeps,
  ctx: UserCtx,
  request: OfFile & { readonly versionIds: readonly string[] },
): Promise<OperationReply<'removeVersions'>> {
  const { location } = await requireFile(deps, ctx, { request, need: removalNeed({ place: request }) })
  const rows = await Promise.all(request.versionIds.map((id) => requireVersion(deps.db, location, id)))
  for (const row of rows) await removeVersion(deps, row, { path: location.path, origin: originOf(ctx) })
  return { removed: rows.length }
}
