import { SHARE_URL_TYPE } from '@godwit/contract'
import type { FileEvent } from '../../content/file-events/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent, DurableEvents } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { folderIn } from './link-paths.ts'
import { targetsStore } from './link-targets.store.ts'
import { recordChange } from './links.changes.ts'
import type { LinksDeps } from './links.deps.ts'
import { namesOf } from './links.names.ts'
import type { LinkTargetRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

const TYPES = ['file.replaced', 'file.renamed', 'file.moved', 'file.copied', 'file.deleted', 'file.restored'] as const

type Followed = Extract<AnyDurableEvent, { readonly type: (typeof TYPES)[number] }>

type FollowDeps = Pick<LinksDeps, 'outbox' | 'clock'>

/**
 * Keeps links at what they share: through moves and renames within its place, also of a folder above; lost when it is deleted or
 * moved elsewhere, there again when it is restored. A later entry of the same name is another one.
 */
export function followSubscriptions(deps: FollowDeps): Subscriptions {
  const subscription = {
    subscriber: 'links.follow',
    handleManyWithin: (events: readonly AnyDurableEvent[], tx: Tx) => followEvents(deps, events.filter(isFollowed), tx),
  }
  return Object.fromEntries(TYPES.map((type) => [type, subscription]))
}

function isFollowed(event: AnyDurableEvent): event is Followed {
  return TYPES.some((type) => type === event.type)
}

async function followEvents(deps: FollowDeps, events: readonly Followed[], tx: Tx): Promise<void> {
  const touched = new Set<string>()
  for (const event of events) for (const { link_id: id } of await follow(event, tx)) touched.add(id)
  for (const id of touched) await settle(deps, tx, id)
}

/** @returns what it was found to concern */
async function follow({ type, payload }: Followed, tx: Tx): Promise<readonly LinkTargetRow[]> {
  switch (type) {
    case 'file.replaced':
      return renew(payload, tx)
    case 'file.copied':
      return payload.isReplacement ? renew(payload, tx) : []
    case 'file.renamed':
      return move(payload, tx)
    case 'file.moved':
      return [...(payload.isReplacement ? await renew(payload, tx) : []), ...(await move(payload, tx))]
    case 'file.deleted':
      return lose(payload, tx)
    case 'file.restored':
      return [...(payload.isReplacement ? await renew(payload, tx) : []), ...(await revive(payload, tx))]
  }
}

/** A file that its owner replaced is shared with its new content. */
async function renew(event: FileEvent, tx: Tx): Promise<readonly LinkTargetRow[]> {
  const targets = await targetsStore.within(tx, event, event.path)
  for (const target of targets) await targetsStore.change(tx, target, { etag: event.etag ?? '' })
  return targets
}

async function move(event: DurableEvents['file.renamed'], tx: Tx): Promise<readonly LinkTargetRow[]> {
  const targets = await targetsStore.within(tx, event, event.from)
  for (const target of targets) {
    const path = event.path + target.path.slice(event.from.length)
    await targetsStore.change(tx, target, { path, etag: tagAfter(event, target, event.from) })
    await visitsStore.moveEntries(tx, { linkId: target.link_id, from: target.path, to: path })
  }
  return targets
}

/** A storage that moves by copying gives new tags; those of what is inside are not known then. */
function tagAfter(event: FileEvent, target: LinkTargetRow, from: string): string {
  if (target.path === from) return event.etag ?? ''
  return event.etagBefore === undefined ? target.etag : ''
}

async function lose(event: DurableEvents['file.deleted'], tx: Tx): Promise<readonly LinkTargetRow[]> {
  // What leaves the bin for good was lost when it came there.
  if (event.isForGood && event.recycleId !== '') return []
  const targets = await targetsStore.within(tx, event, event.path)
  const lost = { is_lost: 1, recycle_id: event.recycleId, recycled_path: event.path }
  for (const target of targets)
    await targetsStore.change(tx, target, { ...lost, etag: tagAfter(event, target, event.path) })
  return targets
}

async function revive(event: DurableEvents['file.restored'], tx: Tx): Promise<readonly LinkTargetRow[]> {
  const targets = await targetsStore.recycledWith(tx, event.recycleId)
  const back = targets.filter((target) => isWithin(target.path, sourceOf(event, target)))
  for (const target of back) {
    const from = sourceOf(event, target)
    const there = { is_lost: 0, recycle_id: '', recycled_path: '' }
    const path = event.path + target.path.slice(from.length)
    await targetsStore.change(tx, target, { ...there, path, etag: tagAfter(event, target, from) })
  }
  return back
}

/**
 * The path that came back, as it was when it was deleted. An item of the bin comes back whole, perhaps under another name, into
 * the folder that it was in; one that is merged into an existing folder comes back entry by entry.
 */
function sourceOf({ path }: FileEvent, { recycled_path: recycled }: LinkTargetRow): string {
  return folderIn(path) === folderIn(recycled) ? recycled : path
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Notes what a link is called now, and whether anything of it is left. */
async function settle(deps: FollowDeps, tx: Tx, linkId: string): Promise<void> {
  const link = await linksStore.byId(tx, linkId)
  if (link === undefined) return
  const isLost = link.targets.every((target) => target.is_lost === 1)
  const wasLost = Number(link.lost_at) > 0
  const lostAt = isLost ? deps.clock.now() : 0
  const isInvite = link.url_type === SHARE_URL_TYPE.upload
  await linksStore.change(tx, linkId, { ...namesOf(link), ...(isLost === wasLost ? {} : { lost_at: lostAt }) })
  if (isLost === wasLost) return
  // Whoever brought files into a folder that is gone begins a new visit when it is back.
  if (isLost && isInvite) await visitsStore.endAllOf(tx, [linkId], lostAt)
  await recordChange(deps, tx, { row: link, change: isLost ? 'lost' : 'revived', by: '' })
}
