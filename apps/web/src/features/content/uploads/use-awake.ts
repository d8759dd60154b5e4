import { useEffect } from 'react'

/** Keeps the device awake while something is sent: one that falls asleep ends its uploads. The browser lets it sleep while the page is not seen. */
export function useAwake(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded || !('wakeLock' in navigator)) return
    const stop = new AbortController()
    let lock: WakeLockSentinel | undefined
    const take = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      try {
        lock = await navigator.wakeLock.request('screen')
        if (stop.signal.aborted) await lock.release()
      } catch {
        // A battery that is nearly empty refuses; the upload goes on while the device is awake.
      }
    }
    const takeAgain = (): void => void take()
    document.addEventListener('visibilitychange', takeAgain, { signal: stop.signal })
    void take()
    return () => {
      stop.abort()
      void lock?.release()
    }
  }, [isNeeded])
}
