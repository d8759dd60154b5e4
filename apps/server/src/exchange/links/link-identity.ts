import { setTimeout as pause } from 'node:timers/promises'
import type { Entry } from '@godwit/storage'
import { find, requireEntry, type Found, type Location, type Need } from '../../content/access/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { nameIn, sharedIn, toOwnerPath, wayInto } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { isUsable } from './links.policy.ts'
import type { Link, LinkTargetRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'

/** So long, in looks at the database, the event of a change has to arrive. */
const LOOKS = 10
const LOOK_MS = 150

/** What stands where something was shared is not what was shared: it was moved or deleted, and the event of it is on its way. */
class TargetChanged extends AppError {
  constructor(path: string) {
    super('PATH_NOT_FOUND', { name: nameIn(path) })
  }
}

/** Whether an entry is what was shared, and not what took its name since. */
export function isSame({ etag }: Pick<LinkTargetRow, 'etag'>, entry: Pick<Entry, 'etag'>): boolean {
  return etag === '' || etag === entry.etag
}

/**
 * Works with what a link shares. A change whose event has not been handled yet is waited for: a file that was renamed a moment
 * ago is still the one that was shared.
 * @param work receives whether to take what is gone for gone
 * @throws AppError LINK_EXPIRED when nothing of it is left, and what `work` throws
 */
export async function whenFollowed<T>(
  deps: Pick<LinksDeps, 'db' | 'clock'>,
  link: Link,
  work: (link: Link, isSettled: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work(link, false)
  } catch (thrown) {
    if (!(thrown instanceof TargetChanged)) throw thrown
  }
  const now = (await nextVersion(deps, link)) ?? link
  if (!isUsable(now, deps.clock.now())) throw new AppError('LINK_EXPIRED')
  try {
    return await work(now, true)
  } catch (thrown) {
    // Without the only thing that it shares there is nothing of the link.
    if (thrown instanceof TargetChanged && now.targets.length === 1) throw new AppError('LINK_EXPIRED')
    throw thrown
  }
}

/** @returns the link once something of what it shares has changed; undefined when nothing did */
async function nextVersion({ db }: Pick<LinksDeps, 'db'>, known: Link): Promise<Link | undefined> {
  const before = versionOf(known)
  for (let look = 0; look < LOOKS; look++) {
    const now = await linksStore.byId(db, known.id)
    if (now === undefined) throw new AppError('LINK_EXPIRED')
    if (versionOf(now) !== before) return now
    await pause(LOOK_MS)
  }
  return undefined
}

function versionOf({ lost_at: lostAt, targets }: Link): string {
  return JSON.stringify([Number(lostAt), targets.map(({ path, etag, is_lost: isLost }) => [path, etag, isLost])])
}

/** A path of a guest, at a link. */
export interface GuestPath {
  readonly guest: GuestPrincipal
  readonly link: Link
  readonly path: string
}

type Access = Pick<LinksDeps, 'files'>

/**
 * What a guest's path leads to, below what the owner chose, with the rights of now.
 * @throws AppError PATH_NOT_FOUND, also for what took the name of what was shared, and as access.open()
 */
export async function openInLink({ files }: Access, { guest, link, path }: GuestPath, need: Need): Promise<Found> {
  const owned = toOwnerPath(sharedIn(link), path)
  const open = (at: string): Promise<Location> =>
    files.access.open({ principal: guest }, { kind: 'link', linkId: link.id }, at, need)
  const target = targetOf(link, owned)
  // The root of a place is what it is; and what is not shared is answered as if it were not there.
  if (target === undefined || target.path === '/') return requireEntry(await open(owned))
  const found = await find(await open(target.path))
  if (found === undefined || !isSame(target, found.entry)) throw new TargetChanged(target.path)
  return target.path === owned ? found : requireEntry(await open(owned))
}

/** What was chosen, or contains the path; nothing that is lost. */
function targetOf({ targets }: Link, path: string): LinkTargetRow | undefined {
  return targets.find(
    ({ path: own, is_lost: isLost }) => isLost === 0 && (own === path || own === '/' || path.startsWith(`${own}/`)),
  )
}

/**
 * The shared folder, or one that chosen entries are in, with the rights of now.
 * @throws AppError LINK_EXPIRED when its owner may not offer it any more, or it is gone
 */
export async function openShared(deps: Access, guest: GuestPrincipal, link: Link): Promise<Location> {
  const need: Need = link.url_type === 0 ? 'uploadFile' : 'view'
  const shared = sharedIn(link)
  const way = wayInto(shared)
  if (way === undefined) throw new AppError('LINK_EXPIRED')
  try {
    if (shared.root !== undefined) return (await openInLink(deps, { guest, link, path: '/' }, need)).location
    // Of several entries each is looked at when somebody asks for it.
    const [only] = shared.entries.keys()
    if (shared.entries.size === 1) await openInLink(deps, { guest, link, path: `/${only}` }, need)
    return await deps.files.access.open({ principal: guest }, { kind: 'link', linkId: link.id }, way, need)
  } catch (thrown) {
    // What the owner hid or lost meanwhile is no business of a guest.
    if (thrown instanceof AppError && thrown.status < 500 && !(thrown instanceof TargetChanged))
      throw new AppError('LINK_EXPIRED', undefined, { cause: thrown })
    throw thrown
  }
}
