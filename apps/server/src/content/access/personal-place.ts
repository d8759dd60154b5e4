import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { accountOf, personalPermission } from '../../identity/principals/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { foldName } from './fold-name.ts'
import { groupOfMount, storeOf, type PlaceResolver, type Standing } from './places.ts'

/** The home of an account on the storage of a space it is a member of. */
export function personalPlaces(storages: Storages): PlaceResolver<'personal'> {
  return async (principal, { spaceId }, standingIn) => {
    const account = accountOf(principal)
    const { home, spaceIds, mounts = [] } = account
    if (!spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
    const ids = { spaceId, groupId: LIMITS.defaultGroupId }
    const own = mounts.filter((mount) => mount.spaceId === spaceId)
    const standings = await Promise.all(
      own.map(async ({ id, alias }): Promise<[string, Standing]> => {
        return [foldName(alias), await standingIn({ kind: 'mount', spaceId, mountId: id })]
      }),
    )
    return {
      ids,
      store: await storeOf(storages, { userId: principal.id, ...ids }),
      rootKey: personalHome(home, spaceId),
      ...(standings.length === 0 ? {} : { mounts: new Map(standings) }),
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

/**
 * A folder of some storage under a name in the home: with the flags of the home, within those of the mount, and booked to the
 * account.
 */
export function mountPlaces(storages: Storages): PlaceResolver<'mount'> {
  return async (principal, { spaceId, mountId }) => {
    const account = accountOf(principal)
    if (!account.spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
    const mount = account.mounts?.find((one) => one.id === mountId && one.spaceId === spaceId)
    // Somebody else's, and one that was removed, are as good as missing.
    if (mount === undefined) throw new AppError('PATH_NOT_FOUND')
    const ids = { spaceId, groupId: groupOfMount(mountId) }
    return {
      ids,
      store: await storeOf(storages, { userId: principal.id, ...ids }),
      rootKey: mount.path,
      alias: mount.alias,
      grants: {
        given: [
          { subject: { kind: 'user', id: principal.id }, prefix: '/', flags: personalPermission(account, spaceId) },
        ],
        caps: [mount.permission],
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
