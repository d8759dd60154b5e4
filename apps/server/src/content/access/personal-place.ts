import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { accountOf, personalPermission } from '../../identity/principals/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { storeOf, type PlaceResolver } from './places.ts'

/** The home of an account on the storage of a space it is a member of. */
export function personalPlaces(storages: Storages): PlaceResolver<'personal'> {
  return async (principal, { spaceId }) => {
    const account = accountOf(principal)
    const { home, spaceIds } = account
    if (!spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
    const ids = { spaceId, groupId: LIMITS.defaultGroupId }
    return {
      ids,
      store: await storeOf(storages, { userId: principal.id, ...ids }),
      rootKey: personalHome(home, spaceId),
      grants: {
        given: [
          { subject: { kind: 'user', id: principal.id }, prefix: '/', flags: personalPermission(account, spaceId) },
        ],
        caps: [],
        rules: [],
        isAdministrator: false,
        quotaBuckets: [`user:${principal.id}`, `space:${spaceId}`],
      },
    }
  }
}

/** The first space keeps personal folders at the top of its storage, every other one below a folder of its own. */
export function personalHome(home: string, spaceId: number): string {
  return spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`
}
