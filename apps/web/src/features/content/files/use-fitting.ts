import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * Finds out how much of a row does not fit into its width: one part after the other leaves until nothing stands out.
 * @param leaving names of the parts that may leave, the first to go first
 * @param facts whatever else decides how wide the row is; when they change all is tried again
 */
export function useFitting(
  leaving: readonly string[],
  facts: string,
): { readonly ref: RefObject<HTMLDivElement | null>; readonly isBehind: (name: string) => boolean } {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [found, setFound] = useState({ row: '', gone: 0 })
  const row = [width, facts, ...leaving].join('|')
  const gone = found.row === row ? found.gone : 0
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null || gone >= leaving.length) return
    if (element.scrollWidth > element.clientWidth) setFound({ row, gone: gone + 1 })
  }, [gone, leaving.length, row])
  return { ref, isBehind: (name) => leaving.slice(0, gone).includes(name) }
}
