import { KIND_FOLDER, KIND_GONE } from '@godwit/storage'
import { placeOf, within, type Location } from '../../content/access/index.ts'
import type { FileLock } from '../../content/file-locks/index.ts'
import { hasPropertiesBelow, propertiesAt, type Properties } from '../../content/properties/index.ts'
import { bucketOf } from '../../content/quotas/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { MultiStatus, Refusal, statusLine } from './webdav.answers.ts'
import { bodyXml } from './webdav.bodies.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { foundAt, placeholderAt, placeholdersIn, type Asked } from './webdav.entries.ts'
import { ALLPROP_NAMES, hrefOfShown, LIVE_NAMES, shownEntry, writeLive, type Shown } from './webdav.live-properties.ts'
import type { InPlace } from './webdav.tree.ts'
import { elementsIn, escapeXml, splitName, type XmlElement } from '../../kernel/xml.ts'

/** What a client wants to know of each entry. */
type Wanted =
  | { readonly kind: 'names' }
  | { readonly kind: 'all'; readonly include: readonly string[] }
  | { readonly kind: 'some'; readonly names: readonly string[] }

/** Properties asked for at once. */
const NAMES_MAX = 200
/** Entries that are written between two looks at the connection. */
const CHUNK = 256

/** Answers a PROPFIND, entry by entry while the folder is read. @throws AppError, Refusal */
export async function propfind(deps: WebdavDeps, asked: Asked, { req, res, body }: RawExchange): Promise<void> {
  const depth = req.headers['depth']
  const xml = await bodyXml(req, body)
  const wanted = xml === undefined ? ({ kind: 'all', include: [] } as const) : wantedBy(xml)
  if (depth !== '0' && depth !== '1')
    throw new Refusal(403, 'OPERATION_UNSUPPORTED', { precondition: 'propfind-finite-depth' })
  if (asked.node.kind === 'virtual') {
    const { names, children } = asked.node
    const folders = depth === '0' ? [names] : [names, ...children.map((child) => [...names, child])]
    const answer = new MultiStatus(res, asked.ctx.signal)
    await answer.write(folders.map((each) => response(deps, wanted, { shown: virtual(each) })).join(''))
    return answer.end()
  }
  return ofPlace(deps, asked, { node: asked.node, wanted, isDeep: depth === '1', res })
}

function virtual(names: readonly string[]): Shown {
  return { names, isFolder: true, size: 0, modifiedMs: 0, etag: undefined, locks: [], quota: undefined }
}

/** @throws AppError PARAMETER_INVALID */
function wantedBy(root: XmlElement): Wanted {
  const malformed = new AppError('PARAMETER_INVALID', { field: 'body' })
  if (root.name !== '{DAV:}propfind') throw malformed
  const parts = elementsIn(root)
  const part = (name: string): XmlElement | undefined => parts.find((each) => each.name === `{DAV:}${name}`)
  const [names, all, some] = [part('propname'), part('allprop'), part('prop')]
  if ([names, all, some].filter((each) => each !== undefined).length !== 1) throw malformed
  if (names !== undefined) return { kind: 'names' }
  const listed = (list: XmlElement | undefined): string[] => {
    const found = list === undefined ? [] : elementsIn(list).map(({ name }) => name)
    if (found.length > NAMES_MAX) throw malformed
    return [...new Set(found)]
  }
  return all === undefined ? { kind: 'some', names: listed(some) } : { kind: 'all', include: listed(part('include')) }
}

interface OfPlace {
  readonly node: InPlace
  readonly wanted: Wanted
  readonly isDeep: boolean
  readonly res: RawExchange['res']
}

async function ofPlace(deps: WebdavDeps, { ctx, names }: Asked, { node, wanted, isDeep, res }: OfPlace): Promise<void> {
  const { files, db } = deps
  const found = await foundAt(deps, ctx, node, 'list')
  if (found === undefined) {
    const place = await files.access.open(ctx, placeOf(node.ids), node.path, 'list')
    const lock = await placeholderAt(deps, ctx, place)
    if (lock === undefined) throw new AppError('PATH_NOT_FOUND')
    const answer = new MultiStatus(res, ctx.signal)
    await answer.write(response(deps, wanted, { shown: { ...virtual(names), isFolder: false, locks: [lock] } }))
    return answer.end()
  }
  const { location, entry } = found
  const { spaceId } = location.place
  const own = shownEntry(names, entry)
  const dead = await propertiesAt(db, spaceId, [location.key])
  const shown = {
    ...own,
    locks: await locksOn(deps, wanted, location),
    quota: own.isFolder && asks(wanted, QUOTA_NAMES) ? await quotaOf(deps, ctx.principal.id, location) : undefined,
  }
  const isListing = isDeep && own.isFolder
  // Before the answer begins: afterwards only cutting the connection would tell of a refusal.
  const answer = new MultiStatus(res, ctx.signal)
  await answer.write(response(deps, wanted, { shown, dead: dead.get(location.key) }))
  if (isListing) await writeChildren(deps, { ctx, names, wanted, folder: location, answer })
  answer.end()
}

const QUOTA_NAMES = ['{DAV:}quota-available-bytes', '{DAV:}quota-used-bytes']

function asks(wanted: Wanted, names: readonly string[]): boolean {
  if (wanted.kind === 'names') return false
  const listed = wanted.kind === 'all' ? wanted.include : wanted.names
  return names.some((name) => listed.includes(name))
}

async function locksOn({ files }: WebdavDeps, wanted: Wanted, { place, key }: Location): Promise<readonly FileLock[]> {
  if (wanted.kind === 'names' || (wanted.kind === 'some' && !asks(wanted, ['{DAV:}lockdiscovery']))) return []
  if (!(await files.fileLocks.hasAny(place.spaceId))) return []
  return files.fileLocks.on({ spaceId: place.spaceId, key })
}

function quotaOf({ quotas }: WebdavDeps, userId: string, { place }: Location) {
  return quotas.shownUsageOf(bucketOf({ userId, groupId: place.groupId }))
}

interface Children {
  readonly ctx: Asked['ctx']
  readonly names: readonly string[]
  readonly wanted: Wanted
  readonly folder: Location
  readonly answer: MultiStatus
}

async function writeChildren(deps: WebdavDeps, children: Children): Promise<void> {
  const { ctx, names, wanted, folder, answer } = children
  const { store, place } = folder
  const hasDead = wanted.kind !== 'some' || wanted.names.some((name) => !isLive(name))
  const isAskedDead = hasDead && (await hasPropertiesBelow(deps.db, { spaceId: place.spaceId, key: folder.key }))
  // A bucket is asked for the tag of each object by a request of its own.
  const hasTags = store.capabilities.atomicMove && (wanted.kind === 'all' || asks(wanted, ['{DAV:}getetag']))
  const hasLocks = await deps.files.fileLocks.hasAny(place.spaceId)
  for await (const page of store.list(folder.key, { details: true, signal: ctx.signal })) {
    const shown = [...page.names.keys()].filter((at) => {
      const kind = page.details?.kinds[at]
      return kind !== KIND_GONE && folder.shows(page.names[at] ?? '', page.kinds[at] === KIND_FOLDER)
    })
    for (let from = 0; from < shown.length; from += CHUNK) {
      const entries = shown.slice(from, from + CHUNK).map((at): Shown => {
        const isFolder = page.kinds[at] === KIND_FOLDER
        const { sizes, modifiedMs } = page.details ?? { sizes: [], modifiedMs: [] }
        const times = { size: sizes[at] ?? 0, modifiedMs: modifiedMs[at] ?? 0 }
        return { ...virtual([...names, page.names[at] ?? '']), isFolder, ...times }
      })
      const keys = entries.map((each) => `${folder.key}/${each.names.at(-1) ?? ''}`)
      const dead = isAskedDead ? await propertiesAt(deps.db, place.spaceId, keys) : undefined
      const tagged = hasTags ? await withTags(folder, entries) : entries
      const locked = hasLocks ? await withLocks(deps, { folder, wanted, entries: tagged }) : tagged
      const written = locked.map((each, at) => response(deps, wanted, { shown: each, dead: dead?.get(keys[at] ?? '') }))
      await answer.write(written.join(''))
    }
  }
  if (!hasLocks) return
  for (const lock of await placeholdersIn(deps, ctx, folder)) {
    const name = lock.key.slice(folder.key.length + 1)
    const shown = { ...virtual([...names, name]), isFolder: false, locks: [lock] }
    await answer.write(response(deps, wanted, { shown }))
  }
}

async function withTags(folder: Location, entries: readonly Shown[]): Promise<Shown[]> {
  return withAppErrors(() =>
    Promise.all(
      entries.map(async (shown) => {
        if (shown.isFolder) return shown
        const entry = await folder.store.stat(`${folder.key}/${shown.names.at(-1) ?? ''}`)
        return entry === undefined ? shown : { ...shown, ...shownEntry(shown.names, entry) }
      }),
    ),
  )
}

interface Locking {
  readonly folder: Location
  readonly wanted: Wanted
  readonly entries: readonly Shown[]
}

async function withLocks(deps: WebdavDeps, { folder, wanted, entries }: Locking): Promise<Shown[]> {
  const locked: Shown[] = []
  for (const shown of entries) {
    const location = within(folder, shown.names.at(-1) ?? '')
    locked.push({ ...shown, locks: await locksOn(deps, wanted, location) })
  }
  return locked
}

function isLive(name: string): boolean {
  const [namespace, local] = splitName(name)
  return namespace === 'DAV:' && LIVE_NAMES.includes(local)
}

interface Described {
  readonly shown: Shown
  readonly dead?: Properties | undefined
}

/** One `<D:response>`. */
function response({ clock }: Pick<WebdavDeps, 'clock'>, wanted: Wanted, { shown, dead = {} }: Described): string {
  const now = clock.now()
  const found: string[] = []
  const missing: string[] = []
  const add = (name: string): void => {
    const written = isLive(name)
      ? writeLive(splitName(name)[1], shown, now)
      : Object.hasOwn(dead, name)
        ? dead[name]
        : undefined
    if (written === undefined) missing.push(emptyElement(name))
    else found.push(written)
  }
  if (wanted.kind === 'names') {
    const live = ALLPROP_NAMES.filter((name) => writeLive(name, shown, now) !== undefined).map(
      (name) => `{DAV:}${name}`,
    )
    found.push(...[...live, ...Object.keys(dead)].map(emptyElement))
  } else if (wanted.kind === 'all') {
    for (const name of ALLPROP_NAMES) found.push(writeLive(name, shown, now) ?? '')
    found.push(...Object.values(dead))
    for (const name of wanted.include)
      if (!ALLPROP_NAMES.includes(splitName(name)[1]) && !Object.hasOwn(dead, name)) add(name)
  } else {
    for (const name of wanted.names) add(name)
  }
  const parts = [
    ...(found.length > 0 || missing.length === 0 ? [propstat(found, 200)] : []),
    ...(missing.length > 0 ? [propstat(missing, 404)] : []),
  ]
  return `<D:response><D:href>${escapeXml(hrefOfShown(shown))}</D:href>${parts.join('')}</D:response>`
}

export function propstat(properties: readonly string[], status: number, error = ''): string {
  return `<D:propstat><D:prop>${properties.join('')}</D:prop>${statusLine(status)}${error}</D:propstat>`
}

export function emptyElement(name: string): string {
  const [namespace, local] = splitName(name)
  return namespace === 'DAV:' ? `<D:${local}/>` : `<${local} xmlns="${escapeXml(namespace)}"/>`
}
