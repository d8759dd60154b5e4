import { LIMITS, type MarkAction } from '@godwit/contract'
import { usersStore } from '../../identity/users/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { followEvent, isFollowed, type FileEvent, type PathKeeper } from '../file-events/index.ts'
import type { MarkRow } from './marks.schema.ts'
import { marksStore, type NewMark } from './marks.store.ts'

/** So many entries of those that an account worked with lately are kept. */
export const RECENT_MAX = 200

/** What counts as working with a file. */
const ACTIONS = {
  'file.committed': 'uploaded',
  'file.replaced': 'changed',
  'file.renamed': 'renamed',
  'file.moved': 'moved',
  'file.copied': 'copied',
  'file.restored': 'restored',
  'file.downloaded': 'downloaded',
  'file.previewed': 'opened',
} as const satisfies Record<string, MarkAction>

type WorkType = keyof typeof ACTIONS

/** Marks follow their entries, and what people work with is remembered: in the order in which it happened. */
export function markSubscriptions(): Subscriptions {
  const subscription = { subscriber: 'marks.follow', handleManyWithin: noteMarks }
  const types = [...(Object.keys(ACTIONS) as WorkType[]), 'file.deleted'] as const
  return Object.fromEntries(types.map((type) => [type, subscription]))
}

export async function noteMarks(events: readonly AnyDurableEvent[], tx: Tx): Promise<void> {
  // Of many files that come at once only the last are ever shown, so that the others are not even written.
  let work: NewMark[] = []
  for (const event of events) {
    if (isFollowed(event) && changesPaths(event)) {
      await remember(tx, work)
      work = []
      // What was moved to another place was never in the bin, and every mark outside of it has no id there.
      if (event.type === 'file.deleted' && event.payload.isForGood && event.payload.recycleId !== '')
        await marksStore.removeRecycled(tx, event.payload.recycleId)
      await followEvent(KEEPER, event, tx)
    }
    const mark = workOf(event)
    if (mark !== undefined) work.push(mark)
  }
  await remember(tx, work)
}

/** What takes the place of a file is still the marked one. */
function changesPaths({ type }: AnyDurableEvent): boolean {
  return type !== 'file.replaced' && type !== 'file.copied'
}

const KEEPER: PathKeeper<MarkRow> = {
  within: marksStore.within,
  recycledWith: marksStore.recycledWith,
  async turn(tx, row, turn) {
    switch (turn.kind) {
      case 'renewed':
        return
      case 'moved':
      case 'back':
        return marksStore.moveTo(tx, row, turn.path)
      case 'lost':
        // Nothing comes back from where there is no bin.
        if (turn.recycleId === '') return marksStore.removeOne(tx, row)
        return marksStore.lose(tx, row, { recycle_id: turn.recycleId, recycled_path: turn.from })
    }
  },
}

/** The mark that an event makes; undefined for what nobody worked with by themselves. */
function workOf({ type, payload }: AnyDurableEvent): NewMark | undefined {
  if (!isWork(type)) return undefined
  const event = payload as FileEvent
  const { by, door, kind, path, spaceId, groupId, userId, at } = event
  if (kind !== 'file' || !['user', 'client', 'api-token', 'job'].includes(by.kind)) return undefined
  if (groupId <= LIMITS.defaultGroupId && by.id !== userId) return undefined
  // A mounted drive reads by itself, as for thumbnails.
  if (door === 'webdav' && type === 'file.downloaded') return undefined
  return { user_id: by.id, kind: 'recent', space_id: spaceId, group_id: groupId, path, action: ACTIONS[type], at }
}

function isWork(type: string): type is WorkType {
  return Object.hasOwn(ACTIONS, type)
}

async function remember(tx: Tx, work: readonly NewMark[]): Promise<void> {
  for (const [userId, marks] of Map.groupBy(work, (mark) => mark.user_id)) {
    // Events outlive accounts.
    if ((await usersStore.byId(tx, userId)) === undefined) continue
    const last = new Map<string, NewMark>()
    for (const mark of marks.toReversed()) {
      const key = [mark.space_id, mark.group_id, mark.path].join(' ')
      if (last.size < RECENT_MAX && !last.has(key)) last.set(key, mark)
    }
    await marksStore.put(tx, [...last.values()].toReversed())
    await marksStore.trim(tx, { userId, kind: 'recent' }, RECENT_MAX)
  }
}
