import { useState } from 'react'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { useMedia } from '../../../lib/use-media.ts'
import type { useDetailsState } from './details-state.ts'

const KEY = 'godwit.tree'
const OPEN = 'open'
/** There is room for something on both sides of a list. */
const VERY_WIDE = '(width >= 1600px)'

/**
 * Whether the tree of folders is shown, kept by this browser. A phone has no room for it, and most screens have none for it
 * and the details: it gives way to them, and asked for again it takes their place.
 */
export function useTreeState(isRoomy: boolean, details: ReturnType<typeof useDetailsState>) {
  const [isWanted, setWanted] = useState(() => readStored(KEY) === OPEN)
  const isCovered = !useMedia(VERY_WIDE) && details.isOpen
  const isOpen = isWanted && isRoomy && !isCovered
  return {
    isOpen,
    isPossible: isRoomy,
    toggle() {
      setWanted(!isOpen)
      writeStored(KEY, isOpen ? undefined : OPEN)
      if (!isOpen && isCovered) details.close()
    },
  }
}
