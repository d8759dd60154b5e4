import { useSyncExternalStore } from 'react'

/** Follows a media query. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

/** Below 1024 px the phone layout begins, chosen by the window and never by the device. */
export const ROOMY = '(width >= 1024px)'

/** There is room for something beside a list. */
export const WIDE = '(width >= 1280px)'
