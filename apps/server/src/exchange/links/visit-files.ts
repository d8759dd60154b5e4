import { compareNames } from '@godwit/base'
import type { FileItem, OperationReply, OrderBy } from '@godwit/contract'
import { KIND_FOLDER, KIND_GONE } from '@godwit/storage'
import { find, nameOf, pathNames } from '../../content/access/index.ts'
import { listPlace, type ListRequest } from '../../content/files/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { openInLink, openShared, whenFollowed } from './link-identity.ts'
import { folderIn, guestPaths, nameIn, sharedIn, toOwnerPath } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { visitOf, type Visited } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

type Page = OperationReply<'list'>

const LOOKS_AT_ONCE = 50

/** One page of what a guest sees, in paths of the guest. @throws AppError TOKEN_INVALID, LINK_EXPIRED, and as files.list */
export async function listShared(deps: LinksDeps, ctx: Ctx, request: ListRequest): Promise<Page> {
  const { guest, row } = await visitOf(deps, ctx)
  return whenFollowed(deps, row, (link, isSettled) => listLink(deps, ctx, { guest, row: link, isSettled }, request))
}

interface Looking extends Visited {
  /** Whether what is not there is gone, and its event is not just on its way. */
  readonly isSettled: boolean
}

async function listLink(
  deps: LinksDeps,
  ctx: Ctx,
  { guest, row, isSettled }: Looking,
  request: ListRequest,
): Promise<Page> {
  const shared = sharedIn(row)
  const names = pathNames(request.folder)
  if (row.url_type === 0) {
    await openShared(deps, guest, row)
    return pageOf(await broughtIn(deps, { guest, row }, names), request)
  }
  if (names.length === 0 && shared.root === undefined)
    return withoutTwins(deps, { guest, row, isSettled }, pageOf(await chosen(deps, ctx, { guest, row }), request))
  // The names inside are the owner's to change; the folder itself is what was shared.
  await openInLink(deps, { guest, link: row, path: request.folder }, 'view')
  const folder = toOwnerPath(shared, request.folder)
  const page = await listPlace(deps.files, ctx, { ...request, folder, place: { kind: 'link', linkId: row.id } })
  const toGuest = guestPaths(shared)
  return { ...page, items: page.items.map((item) => ({ ...item, path: toGuest(item.path) })) }
}

/** The chosen entries, under the names that guests see. Those that are gone by now are left out. */
async function chosen(deps: LinksDeps, { signal }: Pick<Ctx, 'signal'>, { guest, row }: Visited): Promise<FileItem[]> {
  const place = { kind: 'link', linkId: row.id } as const
  const items: FileItem[] = []
  const { entries } = sharedIn(row)
  for (const [path, inFolder] of Map.groupBy(entries, ([, owned]) => folderIn(owned))) {
    const folder = await deps.files.access.open({ principal: guest }, place, path, 'view')
    const shown = inFolder.filter(([, owned]) => folder.shows(nameIn(owned), false))
    const names = shown.map(([, owned]) => nameIn(owned))
    const found = await withAppErrors(() => folder.store.statMany(folder.key, names, signal))
    for (const [at, [name]] of shown.entries()) {
      if (found.kinds[at] === KIND_GONE) continue
      const isFolder = found.kinds[at] === KIND_FOLDER
      const time = Math.floor((found.modifiedMs[at] ?? 0) / 1000)
      const size = isFolder ? 0 : (found.sizes[at] ?? 0)
      items.push({ name, file_type: isFolder ? 'Folder' : 'File', size, time, path: `/${name}` })
    }
  }
  return items
}

/** A page without what only has the name of something that was chosen. */
async function withoutTwins(deps: LinksDeps, { guest, row, isSettled }: Looking, page: Page): Promise<Page> {
  const isThere = async ({ path }: FileItem): Promise<boolean> => {
    try {
      await openInLink(deps, { guest, link: row, path }, 'view')
      return true
    } catch (thrown) {
      if (isSettled && thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return false
      throw thrown
    }
  }
  const items: FileItem[] = []
  for (let at = 0; at < page.items.length; at += LOOKS_AT_ONCE) {
    const some = page.items.slice(at, at + LOOKS_AT_ONCE)
    const there = await Promise.all(some.map(isThere))
    items.push(...some.filter((_item, index) => there[index]))
  }
  return { ...page, items }
}

/** What this visit brought into a folder of an invite link, and nothing else that is there. */
async function broughtIn(deps: LinksDeps, { guest, row }: Visited, names: readonly string[]): Promise<FileItem[]> {
  const base = ['', ...names].join('/')
  const toGuest = guestPaths(sharedIn(row))
  const items: FileItem[] = []
  for (const entry of await visitsStore.entriesOf(deps.db, guest.visitId)) {
    const path = toGuest(entry.path)
    if (path.slice(0, path.lastIndexOf('/')) !== base) continue
    const place = { kind: 'link', linkId: row.id } as const
    const found = await find(await deps.files.access.open({ principal: guest }, place, entry.path, 'uploadFile'))
    if (found === undefined) continue
    const { kind, size, modifiedMs } = found.entry
    const name = nameOf({ path })
    const time = Math.floor(modifiedMs / 1000)
    items.push({
      name,
      file_type: kind === 'folder' ? 'Folder' : 'File',
      size: kind === 'folder' ? 0 : size,
      time,
      path,
    })
  }
  return items
}

const COMPARE: Readonly<Record<OrderBy, (left: FileItem, right: FileItem) => number>> = {
  name: (left, right) => compareNames(left.name, right.name),
  size: (left, right) => left.size - right.size,
  time: (left, right) => left.time - right.time,
  type: (left, right) => compareNames(endingOf(left.name), endingOf(right.name)),
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : ''
}

/** A page of a list that is in memory as a whole, folders first. @throws AppError CURSOR_INVALID */
function pageOf(items: readonly FileItem[], { cursor, limit, orderBy, order }: ListRequest): Page {
  const from = cursor == null ? 0 : Number(/^at:(\d{1,7})$/.exec(cursor)?.[1] ?? NaN)
  if (Number.isNaN(from)) throw new AppError('CURSOR_INVALID')
  const direction = order === 'desc' ? -1 : 1
  const sorted = items.toSorted((left, right) => {
    const byKind = Number(right.file_type === 'Folder') - Number(left.file_type === 'Folder')
    const byField = COMPARE[orderBy](left, right) || compareNames(left.name, right.name)
    return byKind || direction * byField
  })
  const shown = sorted.slice(from, from + limit)
  const end = from + shown.length
  const version = `${items.length}-${items.reduce((sum, { size, time }) => (sum * 31 + size + time) % 2 ** 40, 7)}`
  return { items: shown, next: end < sorted.length ? `at:${end}` : null, total: sorted.length, version }
}
