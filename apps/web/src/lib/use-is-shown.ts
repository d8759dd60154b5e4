import { useCallback, useEffect, useRef } from 'react'

/** Whether the component is still on the page: asked by work that goes on after it was closed. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
