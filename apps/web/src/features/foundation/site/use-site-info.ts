import type { SiteInfo } from '@godwit/contract'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useLocaleStore } from '../../../lib/texts.tsx'
import { applyBranding } from './branding.ts'
import { loadSite } from './site.tsx'

const SITE_RETRY_MS = 2_000
/** A pause is noticed after this long at the latest; what was refused because of it is said at once. */
const LOOK_MS = 20_000

/** Sent to the window by whoever paused or resumed the server here. */
export const PAUSE_CHANGED = 'godwit:pause-changed'

/** Asks for the site until it is there, and puts its colours on the page. */
export function useSiteInfo() {
  const { api } = useServices()
  const locale = useLocaleStore()
  const [site, setSite] = useState<SiteInfo>()
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const load = async (): Promise<void> => {
      try {
        const info = await loadSite(api)
        if (isGone) return
        applyBranding(info)
        if (info.englishOnly === 1) locale.set('en-US')
        setSite(info)
      } catch {
        // Without it there is no page, so whatever the matter is, it is asked for again.
        if (isGone) return
        setOffline(true)
        timer = setTimeout(() => void load(), SITE_RETRY_MS)
      }
    }
    void load()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [api, locale])
  const isThere = site !== undefined
  useEffect(() => {
    if (!isThere) return
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return
      // Without an answer nothing is known, and nothing changes.
      const isPaused = await loadSite(api).then(
        (info) => info.isPaused,
        () => undefined,
      )
      if (isPaused === undefined) return
      setSite((known) => (known === undefined || known.isPaused === isPaused ? known : { ...known, isPaused }))
    }
    const timer = setInterval(() => void look(), LOOK_MS)
    const lookNow = (): void => void look()
    document.addEventListener('visibilitychange', lookNow)
    addEventListener(PAUSE_CHANGED, lookNow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookNow)
      removeEventListener(PAUSE_CHANGED, lookNow)
    }
  }, [api, isThere])
  return { site, setSite, isOffline }
}
