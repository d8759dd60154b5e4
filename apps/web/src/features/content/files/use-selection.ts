import { useMemo, useRef, useState } from 'react'
import { EMPTY, type Listing } from './listing.ts'
import { carriedOver, NOTHING, selectedBytes, selectedCount, type Selection } from './selection.ts'

/**
 * The selection of the folder that is shown: carried over by name when the listing is refreshed, empty in another folder.
 * @param spot key of the folder
 */
export function useSelection(spot: string, listing: Listing = EMPTY) {
  const [state, setState] = useState({ spot, listing, selection: NOTHING })
  const known = useRef(state)
  let current = state
  if (state.spot !== spot) current = { spot, listing, selection: NOTHING }
  else if (state.listing !== listing) {
    current = { spot, listing, selection: carriedOver(state.selection, state.listing, listing) }
  }
  // Settled while rendering, so that no frame shows the old rows' selection on the new rows.
  if (current !== state) setState(current)
  known.current = current
  const { selection } = current
  const allBytes = useMemo(() => {
    let sum = 0
    for (const size of listing.sizes) sum += size
    return sum
  }, [listing])
  return {
    selection,
    select: (next: Selection) => setState({ ...known.current, selection: next }),
    count: selectedCount(selection, listing.total),
    bytes: selectedBytes(selection, listing, allBytes),
  }
}
