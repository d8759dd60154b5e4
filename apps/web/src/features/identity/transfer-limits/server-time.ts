import { routes } from '@godwit/contract/table'
import type { ServerClock } from '@godwit/contract'
import type { WeekTime } from '@godwit/contract/identity/speed-periods'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'

const MS_PER_MINUTE = 60_000
const MINUTES_PER_DAY = 1440
/** A mark that is this late is still right to the minute it shows. */
const LOOK_EVERY_MS = 10_000

/** When it is at the server, whose clock periods go by; undefined until it has answered. */
export function useServerTime(): WeekTime | undefined {
  const { api, clock } = useServices()
  const [now, setNow] = useState(() => clock.now())
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['console', 'clock'],
    queryFn: ({ signal }) => api.call(routes.admin.clock, {}, { signal }),
    staleTime: Infinity,
  })
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [clock])
  return data && weekTimeAt(data, Math.max(0, now - dataUpdatedAt))
}

/** @param passedMs since the server said it */
export function weekTimeAt({ now, offsetMinutes }: ServerClock, passedMs: number): WeekTime {
  const there = new Date(now + passedMs + offsetMinutes * MS_PER_MINUTE)
  const minutes = Math.floor(there.getTime() / MS_PER_MINUTE)
  return { day: there.getUTCDay() === 0 ? 7 : there.getUTCDay(), minute: minutes % MINUTES_PER_DAY }
}
