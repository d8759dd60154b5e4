import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { folderOf, hashOfPath, treeOwnerOf } from '../file-events/index.ts'
import { ACTIVITY_TYPES, type ActivityRow } from './activity.schema.ts'
import { activityStore } from './activity.store.ts'

type Noted = Extract<AnyDurableEvent, { readonly type: (typeof ACTIVITY_TYPES)[number] }>

/** Writes down what happens to files: many events in one transaction, together with the mark that they are handled. */
export function activitySubscriptions(): Subscriptions {
  const subscription = { subscriber: 'activity.note', handleManyWithin: noteEvents }
  return Object.fromEntries(ACTIVITY_TYPES.map((type) => [type, subscription]))
}

export async function noteEvents(events: readonly AnyDurableEvent[], tx: Tx): Promise<void> {
  await activityStore.insert(tx, events.filter(isNoted).map(rowOf))
}

/** What leaves the recycle bin for good has left its place before. */
function isNoted(event: AnyDurableEvent): event is Noted {
  if (!ACTIVITY_TYPES.some((type) => type === event.type)) return false
  return event.type !== 'file.deleted' || !event.payload.isForGood
}

function rowOf({ type, payload }: Noted): Omit<ActivityRow, 'n'> {
  const { path, kind, by, door, at, spaceId, groupId } = payload
  const from = 'from' in payload ? payload.from : ''
  const leaves = type === 'file.renamed' || type === 'file.moved'
  const fromGroupId = 'fromGroupId' in payload ? payload.fromGroupId : undefined
  const isReplacement = 'isReplacement' in payload && payload.isReplacement
  return {
    ...{ owner_id: treeOwnerOf(payload), space_id: spaceId, group_id: groupId },
    ...{ path, path_hash: hashOfPath(path), parent_hash: hashOfPath(folderOf(path)) },
    from_path: from,
    from_hash: leaves ? hashOfPath(from) : '',
    from_group_id: fromGroupId ?? groupId,
    ...{ type, entry: kind, replaces: isReplacement ? 1 : 0 },
    recycle_id: 'recycleId' in payload ? payload.recycleId : '',
    etag: payload.etag ?? '',
    origin: JSON.stringify({ by, door }),
    at,
  }
}
