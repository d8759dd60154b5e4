import { AppError } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/db/index.ts'
import { placeOf, type PlaceResolver } from '../access/index.ts'
import { versionsStore } from '../quotas/index.ts'

/** One kept content: the rights are those of the place of its file, the rules those of the path of its file there. */
export function versionPlaces(db: Db): PlaceResolver<'version'> {
  return async (_principal, { versionId }, standingIn) => {
    const row = await versionsStore.byId(db, versionId)
    if (row === undefined || row.removing === 1) throw new AppError('VERSION_NOT_FOUND')
    const { alias, ...standing } = await standingIn(placeOf({ spaceId: row.space_id, groupId: row.group_id }))
    // Personal files are those of whoever asks: somebody else's are not below them, nor is what lies in the bin.
    if (!row.storage_key.startsWith(`${standing.rootKey}/`)) throw new AppError('VERSION_NOT_FOUND')
    const above = alias === undefined ? '' : `/${alias}`
    return { ...standing, rootKey: row.version_key, base: above + row.storage_key.slice(standing.rootKey.length) }
  }
}
