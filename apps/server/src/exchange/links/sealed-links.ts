import { SEALED_PAGE, SEALED_START_MAX, sealedContentAt, sealedHeadOf, type SealedFilePage } from '@godwit/contract'
import { placeOf, requireEntry, type Found } from '../../content/access/index.ts'
import { listPlace, type ListRequest } from '../../content/files/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { openInLink, whenFollowed } from './link-identity.ts'
import { sharedIn } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import type { Link, LinkRow } from './links.schema.ts'
import { listShared } from './visit-files.ts'
import { visitOf } from './visits.service.ts'

/** Links whose files are encrypted end to end: the server keeps them, lists them and hands them out, and reads nothing of them. */

interface SealedListing {
  readonly cursor?: string | undefined
}

/** One page of what a guest may take. @throws AppError TOKEN_INVALID, LINK_EXPIRED, OPERATION_UNSUPPORTED, LINK_DOWNLOAD_NOT_ALLOWED */
export async function listSealedOfVisit(deps: LinksDeps, ctx: Ctx, { cursor }: SealedListing): Promise<SealedFilePage> {
  const { guest, row } = await visitOf(deps, ctx)
  requireSealed(row)
  if (row.url_type === 0) throw new AppError('LINK_DOWNLOAD_NOT_ALLOWED')
  const page = await listShared(deps, ctx, pageAt('/', cursor))
  const open = (path: string): Promise<Found> =>
    whenFollowed(deps, row, (link) => openInLink(deps, { guest, link, path }, 'download'))
  return withStarts(page, open, ctx.signal)
}

/** One page of a link of the caller's, whoever brought the files. @throws AppError OPERATION_UNSUPPORTED, PATH_NOT_FOUND, PERMISSION_DENIED */
export async function listSealedOfOwner(
  deps: LinksDeps,
  ctx: UserCtx,
  row: Link,
  { cursor }: SealedListing,
): Promise<SealedFilePage> {
  requireSealed(row)
  const folder = sharedIn(row).root
  if (folder === undefined) throw new AppError('PATH_NOT_FOUND', { name: row.label })
  const place = placeOf({ spaceId: row.space_id, groupId: row.group_id })
  const page = await listPlace(deps.files, ctx, { ...pageAt(folder, cursor), place })
  const open = async (path: string): Promise<Found> =>
    requireEntry(await deps.files.access.open(ctx, place, path, 'download'))
  return withStarts(page, open, ctx.signal)
}

function requireSealed({ sealed_by: sealedBy }: Pick<LinkRow, 'sealed_by'>): void {
  if (sealedBy === '') throw new AppError('OPERATION_UNSUPPORTED')
}

function pageAt(folder: string, cursor: string | undefined): ListRequest {
  return { folder, limit: SEALED_PAGE, orderBy: 'name', order: 'asc', ...(cursor === undefined ? {} : { cursor }) }
}

async function withStarts(
  page: Awaited<ReturnType<typeof listPlace>>,
  open: (path: string) => Promise<Found>,
  signal: AbortSignal,
): Promise<SealedFilePage> {
  const items: SealedFilePage['items'] = []
  for (const { name, size, path, file_type: type } of page.items) {
    if (type !== 'File') continue
    const start = await startOf(await open(path), signal)
    items.push({ name, size, start: Buffer.from(start).toString('base64') })
  }
  return { items, next: page.next, total: page.total }
}

/** The encrypted beginning of a file; empty for another kind of file. */
async function startOf({ location, entry }: Found, signal: AbortSignal): Promise<Uint8Array> {
  if (entry.kind !== 'file' || entry.size === 0) return new Uint8Array()
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    const bytes = new Uint8Array(Math.min(SEALED_START_MAX, reader.entry.size))
    let filled = 0
    for await (const chunk of reader.stream({ start: 0, end: bytes.length }, signal)) {
      bytes.set(chunk, filled)
      filled += chunk.length
    }
    const head = sealedHeadOf(bytes.subarray(0, filled))
    return head === undefined
      ? new Uint8Array()
      : bytes.subarray(0, Math.min(filled, sealedContentAt(head.metadataBytes)))
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}
