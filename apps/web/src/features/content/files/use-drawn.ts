import { useLayoutEffect, useRef } from 'react'

/** Calls back once, when what is drawn stands in the page. */
export function useDrawn(onDrawn: () => void): void {
  const first = useRef(onDrawn)
  useLayoutEffect(() => first.current(), [])
}
