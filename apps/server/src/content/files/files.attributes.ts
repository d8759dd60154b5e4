import type { OperationReply } from '@godwit/contract'
import { KIND_FILE, KIND_FOLDER } from '@godwit/storage'
import { errorText } from '@godwit/i18n'
import type { UserCtx } from '../../kernel/context.ts'
import { toAppError, type AppError } from '../../kernel/errors.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { placeOf, requireEntry, unreachable, within, type Location, type PlaceIds } from '../access/index.ts'
import type { StoredEntry } from './files.changes.ts'
import type { FilesDeps } from './files.deps.ts'
import { itemOf } from './files.service.ts'

export interface TreeSize {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** What exists below a folder for the principal, the folder itself not counted. */
export function measureTree(top: Location, signal: AbortSignal): Promise<TreeSize> {
  return measure(top, signal, {
    shows: (folder, name, isFolder) => folder.shows(name, isFolder),
    within,
  })
}

/** Everything below a folder of a storage, whoever may see it: for bookkeeping. */
export function measureStored(top: StoredEntry, signal: AbortSignal): Promise<TreeSize> {
  return measure(top, signal, {
    shows: (_folder, name) => unreachable(name) === undefined,
    within: ({ store, key }, name) => ({ store, key: `${key}/${name}` }),
  })
}

interface Measuring<Folder> {
  shows(folder: Folder, name: string, isFolder: boolean): boolean
  within(folder: Folder, name: string): Folder
}

async function measure<Folder extends StoredEntry>(
  top: Folder,
  signal: AbortSignal,
  measuring: Measuring<Folder>,
): Promise<TreeSize> {
  let files = 0
  let folders = 0
  let bytes = 0
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of folder.store.list(folder.key, { details: true, signal })) {
      for (const [at, name] of page.names.entries()) {
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (!measuring.shows(folder, name, isFolder)) continue
        if (isFolder) {
          folders++
          waiting.push(measuring.within(folder, name))
        } else if (page.details?.kinds[at] === KIND_FILE) {
          files++
          bytes += page.details.sizes[at] ?? 0
        }
      }
    }
  }
  return { files, folders, bytes }
}

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
  }
}
