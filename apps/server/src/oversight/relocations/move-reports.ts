import { LIMITS, SPACE_MOVE_NAMED_MAX, type SpaceMoveProgress } from '@godwit/contract'
import { groupsStore } from '../../identity/groups/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { rootOf } from './place-trees.ts'
import type { PlaceReport } from './relocations.service.ts'

type Result = Omit<SpaceMoveProgress, 'places' | 'placesDone' | 'bytesPerSecond'>

/** What passes over the places of a space did, as the console shows it. */
export async function progressOf(db: Db, spaceId: number, reports: readonly PlaceReport[]): Promise<Result> {
  const sum = (what: 'files' | 'bytes' | 'changed' | 'leftOut'): number =>
    reports.reduce((total, report) => total + (report[what] ?? 0), 0)
  const [files, bytes] = [sum('files'), sum('bytes')]
  return {
    ...{ files, bytes, filesDone: files, bytesDone: bytes, changed: sum('changed'), leftOut: sum('leftOut') },
    corrupt: await namesOf(db, spaceId, reports),
  }
}

/** Whose files cannot be copied, and which. */
async function namesOf(
  db: Db,
  spaceId: number,
  reports: readonly PlaceReport[],
): Promise<SpaceMoveProgress['corrupt']> {
  const named: SpaceMoveProgress['corrupt'] = []
  for (const { ownerId, groupId, corrupt = [] } of reports) {
    if (corrupt.length === 0) continue
    const isGroup = groupId !== LIMITS.defaultGroupId
    const keeper = isGroup ? (await groupsStore.byId(db, groupId))?.name : (await usersStore.byId(db, ownerId))?.account
    const root = await rootOf(db, { owner_id: ownerId, space_id: spaceId, group_id: groupId })
    for (const key of corrupt.slice(0, SPACE_MOVE_NAMED_MAX - named.length)) {
      const isShown = root !== undefined && key.startsWith(`${root}/`)
      named.push({ keeper: keeper ?? '', path: isShown ? key.slice(root.length) : '' })
    }
  }
  return named
}
