import { useEffect, useState } from 'react'

/** After the last key, so that a word is not drawn letter by letter. */
const REST_MS = 300

/** A value of plain JSON, once it has not changed for a while. */
export function useRested<T>(wanted: T): T {
  const key = JSON.stringify(wanted)
  const [rested, setRested] = useState(key)
  useEffect(() => {
    const timer = setTimeout(() => setRested(key), REST_MS)
    return () => clearTimeout(timer)
  }, [key])
  return JSON.parse(rested) as T
}
