import { useEffect } from 'react'
import type { Place } from '../../../lib/file-socket.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { isSamePlace } from './spot.ts'
import { useFilesServices } from './files-services.tsx'

/** Files that a page of another feature brings into a folder, which it opens next. */
export interface Arrival {
  readonly place: Place
  readonly folder: string
  readonly files: readonly File[]
}

export const arrivals = createStore<Arrival | undefined>(undefined)

/** Takes what was brought for the folder that is shown. */
export function useArrivals(folder: string, take: (folder: string, files: readonly File[]) => void): void {
  const arrival = useStore(arrivals)
  const { place } = useFilesServices()
  useEffect(() => {
    if (arrival?.folder !== folder || !isSamePlace(arrival.place, place)) return
    arrivals.set(undefined)
    take(folder, arrival.files)
  }, [arrival, folder, place, take])
}
