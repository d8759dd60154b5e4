import { placeOf, type PlaceResolver } from '../access/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recycleStore } from './recycle.store.ts'

/** One deleted entry: the rights are those of the place it was deleted from, the rules those of its path there. */
export function recyclePlaces(db: Db): PlaceResolver<'recycle'> {
  return async (principal, { recycleId }, standingIn) => {
    const [row] = await recycleStore.ofOwner(db, principal.id, [recycleId])
    if (row === undefined) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
    const { alias: _alias, ...standing } = await standingIn(placeOf({ spaceId: row.space_id, groupId: row.group_id }))
    return { ...standing, rootKey: row.storage_key, base: row.path }
  }
}
