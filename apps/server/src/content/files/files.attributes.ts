import type { OperationReply } from '@godwit/contract'
import { KIND_FILE, KIND_FOLDER, type ObjectStore } from '@godwit/storage'
import type { UserCtx } from '../../kernel/context.ts'
import type { FilesDeps } from './files.deps.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { locate, requireEntry, requirePermission, type Place } from './files.paths.ts'
import { unreachable } from '../listings/index.ts'
import { itemOf } from './files.service.ts'

export interface TreeSize {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** What lies below a folder, itself not counted. Hidden and unreachable entries do not count. */
export async function measureTree(store: ObjectStore, key: string, signal: AbortSignal): Promise<TreeSize> {
  let files = 0
  let folders = 0
  let bytes = 0
  const waiting = [key]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of store.list(folder, { details: true, signal })) {
      for (const [at, name] of page.names.entries()) {
        if (unreachable(name) !== undefined) continue
        if (page.kinds[at] === KIND_FOLDER) {
          folders++
          waiting.push(`${folder}/${name}`)
        } else if (page.details?.kinds[at] === KIND_FILE) {
          files++
          bytes += page.details.sizes[at] ?? 0
        }
      }
    }
  }
  return { files, folders, bytes }
}

/** Size, counts and times of entries; folders are counted through. */
export async function attributes(
  deps: FilesDeps,
  ctx: UserCtx,
  request: Place & { readonly paths: readonly string[] },
): Promise<OperationReply<'attributes'>> {
  requirePermission(ctx.principal, 'list')
  const items: OperationReply<'attributes'>['items'] = []
  for (const path of request.paths) {
    const { location, entry } = await requireEntry(locate(deps.storages, ctx.principal, request, path))
    const tree =
      entry.kind === 'file'
        ? { files: 1, folders: 0, bytes: entry.size }
        : await withAppErrors(() => measureTree(location.store, location.key, ctx.signal))
    items.push({
      ...itemOf(location, entry),
      size: tree.bytes,
      file_count: tree.files,
      folder_count: tree.folders,
      // Storages keep no time of creation that survives a copy; the last change is what is known.
      create_time: Math.floor(entry.modifiedMs / 1000),
    })
  }
  return { items }
}
