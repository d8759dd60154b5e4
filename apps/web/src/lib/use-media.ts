import { createContext, use, useSyncExternalStore } from 'react'

/** Which media queries hold where there is no screen: for what the server draws. */
export const AssumedMedia = createContext<(query: string) => boolean>(() => false)

/** Follows a media query. */
export function useMedia(query: string): boolean {
  const isAssumed = use(AssumedMedia)
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
    () => isAssumed(query),
  )
}

/** Below 1024 px the phone layout begins, chosen by the window and never by the device. */
export const ROOMY = '(width >= 1024px)'
export const NARROW = '(width < 1024px)'

/** There is room for something beside a list. */
export const WIDE = '(width >= 1280px)'
