import { SHARE_URL_TYPE } from '@godwit/contract'
import {
  FOLLOWED_TYPES,
  followEvent,
  isFollowed,
  type FileEvent,
  type PathKeeper,
  type Turn,
} from '../../content/file-events/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { targetsStore } from './link-targets.store.ts'
import { recordChange } from './links.changes.ts'
import type { LinksDeps } from './links.deps.ts'
import { namesOf } from './links.names.ts'
import type { LinkTargetRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

type FollowDeps = Pick<LinksDeps, 'outbox' | 'clock'>

/**
 * Keeps links at what they share: through moves and renames within its place, also of a folder above; lost when it is deleted or
 * moved elsewhere, there again when it is restored. A later entry of the same name is another one.
 */
export function followSubscriptions(deps: FollowDeps): Subscriptions {
  const subscription = {
    subscriber: 'links.follow',
    async handleManyWithin(events: readonly AnyDurableEvent[], tx: Tx) {
      const touched = new Set<string>()
      for (const event of events.filter(isFollowed))
        for (const { link_id: id } of await followEvent(TARGETS, event, tx)) touched.add(id)
      for (const id of touched) await settle(deps, tx, id)
    },
  }
  return Object.fromEntries(FOLLOWED_TYPES.map((type) => [type, subscription]))
}

const TARGETS: PathKeeper<LinkTargetRow> = {
  within: (tx, event, path) => targetsStore.within(tx, event, path),
  recycledWith: (tx, recycleId) => targetsStore.recycledWith(tx, recycleId),
  turn: turnTarget,
}

async function turnTarget(tx: Tx, target: LinkTargetRow, turn: Turn, event: FileEvent): Promise<void> {
  switch (turn.kind) {
    case 'renewed':
      // A file that its owner replaced is shared with its new content.
      return targetsStore.change(tx, target, { etag: event.etag ?? '' })
    case 'moved': {
      const { path, from } = turn
      await targetsStore.change(tx, target, { path, etag: tagAfter(event, target, from) })
      return visitsStore.moveEntries(tx, { linkId: target.link_id, from: target.path, to: path })
    }
    case 'lost': {
      const lost = { is_lost: 1, recycle_id: turn.recycleId, recycled_path: turn.from }
      return targetsStore.change(tx, target, { ...lost, etag: tagAfter(event, target, turn.from) })
    }
    case 'back': {
      const there = { is_lost: 0, recycle_id: '', recycled_path: '' }
      return targetsStore.change(tx, target, {
        ...there,
        path: turn.path,
        etag: tagAfter(event, target, turn.from),
      })
    }
  }
}

/** A storage that moves by copying gives new tags; those of what is inside are not known then. */
function tagAfter(event: FileEvent, target: LinkTargetRow, from: string): string {
  if (target.path === from) return event.etag ?? ''
  return event.etagBefore === undefined ? target.etag : ''
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
