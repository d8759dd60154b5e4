import { createStore } from '../../../lib/store.ts'
import { isSamePlace, type Spot } from './spot.ts'

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

/** One for all tabs: what was cut in one's own files can be pasted into a group, and in another tab. */
export const clipboard = createStore<Clip | undefined>(undefined)

type Word = { readonly clip: Clip | undefined } | 'which'

// The tabs pass it on among themselves, so that no name is kept on the device.
const tabs = new BroadcastChannel('godwit.clipboard')
let isHeard = false
const say = (word: Word): void => tabs.postMessage(word)
const pass = (): void => say({ clip: clipboard.get() })
clipboard.subscribe(() => {
  if (!isHeard) pass()
})
tabs.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  if (data !== 'which') {
    isHeard = true
    clipboard.set(data.clip)
    isHeard = false
  } else if (clipboard.get() !== undefined) pass()
})
say('which')

/** Names of a folder that are cut and wait to be pasted elsewhere. */
export function cutNames(clip: Clip | undefined, { place, folder }: Spot): ReadonlySet<string> {
  const isHere = clip?.kind === 'move' && clip.from.folder === folder && isSamePlace(clip.from.place, place)
  return isHere ? new Set(clip.names) : NONE
}

const NONE: ReadonlySet<string> = new Set()
