import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Windowing } from '../../../lib/use-windowing.ts'

/** Where each visit of a folder was scrolled to; going back finds the same rows. */
const places = new Map<string, number>()

/** @returns the list's handle to fill, and where it stood at the last visit */
export function useScrollMemory() {
  const windowingRef = useRef<Windowing>(undefined)
  const place = useLocation({
    select: ({ state, href, searchStr }) =>
      new URLSearchParams(searchStr).has('view') ? undefined : `${state.__TSR_key ?? ''} ${href}`,
  })
  // A file that is open lies over the list, which stays where it is.
  const lastPlace = useRef('')
  if (place !== undefined) lastPlace.current = place
  const visit = lastPlace.current
  useEffect(() => {
    // The list that is there when the visit ends, not the one it began with.
    const list = windowingRef
    list.current?.scrollTo(places.get(visit) ?? 0)
    return () => {
      places.set(visit, list.current?.top() ?? 0)
    }
  }, [visit])
  return { windowingRef, initialTop: places.get(visit) ?? 0 }
}
