import { ENTRY_PERMISSIONS, type EntryPermission, type OperationReply } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { UserCtx } from '../../kernel/context.ts'
import { toAppError, type AppError } from '../../kernel/errors.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { placeOf, requireEntry, type Found, type Location, type Need, type PlaceIds } from '../access/index.ts'
import { uploaderOf } from '../activity/index.ts'
import type { FilesDeps } from './files.deps.ts'
import { itemOf } from './files.service.ts'
import { hashAt } from '../quotas/index.ts'
import { measureTree } from './measure-tree.ts'

type Reply = OperationReply<'attributes'>

/**
 * Size, counts and times of entries; folders are counted through. A path that fails is reported beside the others.
 * @throws AppError the failure of the first path when none succeeds, and faults of the storage or the database
 */
export async function attributes(
  deps: FilesDeps,
  ctx: UserCtx,
  request: PlaceIds & { readonly paths: readonly string[] },
): Promise<Reply> {
  const items: Reply['items'] = []
  const failures: Reply['failures'] = []
  let first: AppError | undefined
  for (const path of request.paths) {
    try {
      items.push(await attributesOf(deps, ctx, { ids: request, path }))
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.status >= 500) throw thrown
      first ??= error
      failures.push({ path, code: error.wire, message: errorText(ctx.locale, error.code) })
    }
  }
  if (items.length === 0 && first !== undefined) throw first
  return { items, failures }
}

async function attributesOf(
  deps: FilesDeps,
  ctx: UserCtx,
  { ids, path }: { readonly ids: PlaceIds; readonly path: string },
): Promise<Reply['items'][number]> {
  const { location, entry } = await requireEntry(await deps.access.open(ctx, placeOf(ids), path, 'list'))
  const tree =
    entry.kind === 'file'
      ? { files: 1, folders: 0, bytes: entry.size }
      : await withAppErrors(() => measureTree(location, ctx.signal))
  return {
    ...itemOf(location, entry),
    size: tree.bytes,
    file_count: tree.files,
    folder_count: tree.folders,
    // Storages keep no time of creation that survives a copy; the last change is what is known.
    create_time: Math.floor(entry.modifiedMs / 1000),
    permissions: permissionsAt(location, entry.kind),
    ...(entry.kind === 'file' ? await factsOfFile(deps, ctx, { location, entry }) : {}),
  }
}

/** What the caller may do with the entry, by the flag that it is for. */
function permissionsAt(location: Location, kind: 'file' | 'folder'): EntryPermission[] {
  const needs = kind === 'file' ? FILE_NEEDS : FOLDER_NEEDS
  return ENTRY_PERMISSIONS.filter((flag) => {
    const need = needs[flag]
    return need !== undefined && location.permits(need)
  })
}

const FILE_NEEDS: Readonly<Partial<Record<EntryPermission, Need>>> = {
  ...{ list: 'list', download: 'download', rename: 'rename', move: 'move', copy: 'copy', delete: 'delete' },
  share: 'share',
}

const FOLDER_NEEDS: Readonly<Partial<Record<EntryPermission, Need>>> = {
  ...FILE_NEEDS,
  ...{ download: 'downloadFolder', copy: 'copyFolder', share: 'shareFolder' },
  ...{ upload: 'uploadFile', mkdir: 'makeFolder', invite: 'invite' },
}

async function factsOfFile(deps: FilesDeps, ctx: UserCtx, found: Found) {
  const uploaded = await uploaderOf(deps, ctx, found)
  return { ...(await recordedHash(deps, found)), ...(uploaded === undefined ? {} : { uploaded }) }
}

/** The hash as it was recorded, while the file is the one that it was recorded of. */
export async function recordedHash(
  { db }: Pick<FilesDeps, 'db'>,
  { location, entry }: Found,
): Promise<{ readonly hash?: string }> {
  const recorded = await hashAt(db, { spaceIds: [location.place.spaceId], key: location.key })
  return recorded?.etag === entry.etag ? { hash: recorded.hash } : {}
}
