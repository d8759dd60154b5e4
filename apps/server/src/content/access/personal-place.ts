import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlaceResolver } from './places.ts'

/** The home of an account on the storage of a space it is a member of. */
export function personalPlaces(storages: Storages): PlaceResolver<'personal'> {
  return (principal, { spaceId }) => {
    const { home, spaceIds, permission } = accountOf(principal)
    const store = spaceIds.includes(spaceId) ? storages.ofSpace(spaceId) : undefined
    if (!store) throw new AppError('NO_SPACE')
    return {
      ids: { spaceId, groupId: LIMITS.defaultGroupId },
      store,
      rootKey: homeIn(home, spaceId),
      grants: {
        given: [{ subject: { kind: 'user', id: principal.id }, prefix: '/', flags: permission }],
        caps: [],
        rules: [],
        isAdministrator: false,
        quotaBuckets: [`user:${principal.id}`, `space:${spaceId}`],
      },
    }
  }
}

/** The first space keeps personal folders at the top of its storage, every other one below a folder of its own. */
function homeIn(home: string, spaceId: number): string {
  return spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`
}
