import { LIMITS } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import { foldName } from './fold-name.ts'
import type { Grants } from './grants.policy.ts'

/**
 * Space and group as the wire and the rows carry them. Group 0 is the personal files; below 0 are the virtual directories, by
 * the number of the mount, which only rows know: on the wire they are a part of the personal files.
 */
export interface PlaceIds {
  readonly spaceId: number
  readonly groupId: number
}

/** Where a user's path counts from. A feature that brings a kind registers a resolver for it. */
export type Place =
  | { readonly kind: 'personal'; readonly spaceId: number }
  | { readonly kind: 'group'; readonly spaceId: number; readonly groupId: number }
  /** A virtual directory: a place of its own behind an alias in the home. Its paths are those of the home: `/alias/…`. */
  | { readonly kind: 'mount'; readonly spaceId: number; readonly mountId: number }
  | { readonly kind: 'link'; readonly linkId: string }
  | { readonly kind: 'delivery'; readonly deliveryId: string }
  /** One deleted entry; its rules are those of the path it was deleted from. */
  | { readonly kind: 'recycle'; readonly recycleId: string }
  /** One kept content of a file; its rules are those of the path of the file. */
  | { readonly kind: 'version'; readonly versionId: string }

export type PlaceKind = Place['kind']
export type PlaceOf<Kind extends PlaceKind> = Extract<Place, { readonly kind: Kind }>

/** The number by which rows know a virtual directory, in the column of groups. */
export function groupOfMount(mountId: number): number {
  return -mountId
}

export function mountOfGroup(groupId: number): number {
  return -groupId
}

/** The group that the wire names: virtual directories are a part of the personal files. */
export function wireGroupOf(groupId: number): number {
  return Math.max(groupId, LIMITS.defaultGroupId)
}

/** The place that ids of the wire, or of a row, mean. */
export function placeOf({ spaceId, groupId }: PlaceIds): Place {
  if (groupId < LIMITS.defaultGroupId) return { kind: 'mount', spaceId, mountId: mountOfGroup(groupId) }
  return groupId === LIMITS.defaultGroupId ? { kind: 'personal', spaceId } : { kind: 'group', spaceId, groupId }
}

/** The place that ids mean for a principal: a guest has only that of the link. */
export function placeFor(principal: Principal, ids: PlaceIds): Place {
  return principal.kind === 'guest' ? { kind: 'link', linkId: principal.id } : placeOf(ids)
}

/** The place that a path of the wire leads to: below the name of a virtual directory, that one. */
export function placeAt(principal: Principal, ids: PlaceIds, path: string): PlaceIds {
  if (ids.groupId !== LIMITS.defaultGroupId || principal.kind === 'guest' || principal.kind === 'reviewer') return ids
  const { mounts = [] } = principal.account
  if (mounts.length === 0) return ids
  const first = foldName(path.split('/').find((name) => name !== '') ?? '')
  const mount = mounts.find(({ spaceId, alias }) => spaceId === ids.spaceId && foldName(alias) === first)
  return mount === undefined ? ids : { spaceId: ids.spaceId, groupId: groupOfMount(mount.id) }
}

/** The storage that keeps the files of a place: the account's own, or those of a group. @throws AppError SPACE_NEEDS_STORAGE */
export function storeOf(
  storages: Pick<Storages, 'ofPlace'>,
  { userId, spaceId, groupId }: PlaceIds & { readonly userId: string },
): Promise<ObjectStore> {
  return storages.ofPlace({ ownerId: groupId === LIMITS.defaultGroupId ? userId : '', spaceId, groupId })
}

/** What a principal has in a place. */
export interface Standing {
  /** Where its bytes belong. */
  readonly ids: PlaceIds
  readonly store: ObjectStore
  /** Key of the place's root inside the store. */
  readonly rootKey: string
  /** Of a virtual directory: its name in the home. All paths in it begin with it. */
  readonly alias?: string
  /** Virtual directories in the root of the place, by their folded names. */
  readonly mounts?: ReadonlyMap<string, Standing>
  /** The root's path in the place that the rules are written for; '/' unless this place is a part of that one. */
  readonly base?: string
  readonly grants: Grants
}

/**
 * Finds what a principal has in a place.
 * @param standingIn the same for the place that this one is a part of; `as` stands for somebody else, such as a link's owner
 * @throws AppError when it is not for this principal, or not there
 */
export type PlaceResolver<Kind extends PlaceKind> = (
  principal: Principal,
  place: PlaceOf<Kind>,
  standingIn: (place: Place, as?: Principal) => Promise<Standing>,
) => Promise<Standing> | Standing
