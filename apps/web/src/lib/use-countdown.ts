import { useCallback, useEffect, useState } from 'react'
import { useServices } from './services.tsx'

const TICK_MS = 250

/** Whole seconds until the end; 0 when it has passed. `start` begins anew. */
export function useCountdown(lengthMs: number): readonly [secondsLeft: number, start: () => void] {
  const { clock } = useServices()
  const [endsAt, setEndsAt] = useState<number>()
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (endsAt === undefined) return
    const tick = (): void => {
      const at = clock.now()
      setNow(at)
      if (at >= endsAt) setEndsAt(undefined)
    }
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [endsAt, clock])
  const start = useCallback(() => {
    setNow(clock.now())
    setEndsAt(clock.now() + lengthMs)
  }, [clock, lengthMs])
  return [endsAt === undefined ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1000)), start]
}
