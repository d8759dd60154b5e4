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

/**
 * Closes the dialog that a component is, after its answer. One that was closed before stays closed: what its `onClose` would close
 * now is the dialog that was opened after it.
 */
export function useCloseIfShown(onClose: () => void): () => void {
  const isShown = useIsShown()
  return useCallback(() => {
    if (isShown()) onClose()
  }, [isShown, onClose])
}
