import { useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import type { Windowing } from '../../../lib/use-windowing.ts'
import type { Layout } from './layout-state.ts'
import { createScrollPlaces } from './scroll-places.ts'

/** Where each visit of a folder was scrolled to; going back finds the same rows, after a full load of the page too. */
const places = createScrollPlaces()

/** @returns the list's handle to fill, and where it stood at the last visit */
export function useScrollMemory(layout: Layout) {
  const windowingRef = useRef<Windowing>(undefined)
  const place = useLocation({
    select: ({ state, href, searchStr }) =>
      new URLSearchParams(searchStr).has('view') ? undefined : `${state.__TSR_key ?? ''} ${href}`,
  })
  // A file that is open lies over the list, which stays where it is.
  const lastPlace = useRef(' ')
  if (place !== undefined) lastPlace.current = place
  const [visit = '', href = ''] = lastPlace.current.split(' ')
  const shownLayout = useRef(layout)
  // The other layout begins where this one stands; both count in pixels of the list.
  if (shownLayout.current !== layout) places.keep(visit, href, windowingRef.current?.top() ?? 0)
  shownLayout.current = layout
  // A layout effect's end comes before the next folder's rows are laid out, which may force the list to another place.
  useLayoutEffect(() => {
    const list = windowingRef
    list.current?.scrollTo(places.of(visit, href))
    const keep = (): void => places.keep(visit, href, list.current?.top() ?? 0)
    const keepForNextPage = (): void => {
      keep()
      places.store()
    }
    addEventListener('pagehide', keepForNextPage)
    return () => {
      removeEventListener('pagehide', keepForNextPage)
      keep()
    }
  }, [visit, href])
  return { windowingRef, initialTop: places.of(visit, href) }
}
