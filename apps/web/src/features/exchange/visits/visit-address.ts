import { useCallback, useEffect, useState } from 'react'
import { normalPath } from '../../../lib/paths.ts'

interface Place {
  readonly folder: string
  /** Name of the file that is looked at. */
  readonly view: string | undefined
}

/** Folder and open file stand in the address: back, forward and reload lead there. */
export function useVisitAddress() {
  const [place, setPlace] = useState(placeInAddress)
  useEffect(() => {
    const follow = (): void => setPlace(placeInAddress())
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((next: Place, isInstead = false) => {
    const search = new URLSearchParams()
    if (next.folder !== '/') search.set('path', next.folder)
    if (next.view !== undefined) search.set('view', next.view)
    const text = search.toString().replaceAll('%2F', '/')
    const address = location.pathname + (text === '' ? '' : `?${text}`) + location.hash
    if (isInstead) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    setPlace(next)
  }, [])
  return { ...place, go }
}

function placeInAddress(): Place {
  // The server draws the top of what is shared.
  if (typeof location === 'undefined') return { folder: '/', view: undefined }
  const search = new URLSearchParams(location.search)
  return { folder: normalPath(search.get('path') ?? '/'), view: search.get('view') ?? undefined }
}
