import type { Place } from '../../../lib/file-socket.ts'
import { createStore } from '../../../lib/store.ts'

/** A folder of a place. */
export interface Spot {
  readonly place: Place
  readonly folder: string
}

/** Entries that were cut or copied, until they are pasted or others are taken. */
export interface Clip {
  readonly kind: 'move' | 'copy'
  readonly from: Spot
  readonly names: readonly string[]
  readonly hasFolder: boolean
  /** Rights in the place they come from. */
  readonly permission: number
  /** Whose they are: another account signed in afterwards does not see the names. */
  readonly userId: string
}

/** One for the whole window: what was cut in one's own files can be pasted into a group. */
export const clipboard = createStore<Clip | undefined>(undefined)

export function isSamePlace(one: Place, other: Place): boolean {
  return one.spaceId === other.spaceId && one.groupId === other.groupId
}

/** Names of a folder that are cut and wait to be pasted elsewhere. */
export function cutNames(clip: Clip | undefined, { place, folder }: Spot): ReadonlySet<string> {
  const isHere = clip?.kind === 'move' && clip.from.folder === folder && isSamePlace(clip.from.place, place)
  return isHere ? new Set(clip.names) : NONE
}

const NONE: ReadonlySet<string> = new Set()
