import type { Place } from '../../../lib/file-socket.ts'

/** A folder of a place. */
export interface Spot {
  readonly place: Place
  readonly folder: string
}

/** Names a folder among those of all places. */
export function spotKey({ place: { spaceId, groupId }, folder }: Spot): string {
  return `${spaceId}/${groupId}${folder}`
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.spaceId === other.spaceId && one.groupId === other.groupId
}
