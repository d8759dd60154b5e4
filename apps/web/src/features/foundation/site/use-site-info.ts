import type { SiteInfo } from '@godwit/contract'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useLocaleStore } from '../../../lib/texts.tsx'
import { applyBranding } from './branding.ts'
import { loadSite } from './site.tsx'

const SITE_RETRY_MS = 2_000
/** A pause, or another look, is noticed after this long at the latest; what was refused because of it is said at once. */
const LOOK_MS = 20_000

/** Sent to the window by whoever paused or resumed the server here, or changed how the site looks. */
export const SITE_CHANGED = 'godwit:site-changed'

/** Asks for the site until it is there, puts its colours on the page, and follows what changes. */
export function useSiteInfo() {
  const { api } = useServices()
  const locale = useLocaleStore()
  const [site, setSite] = useState<SiteInfo>()
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let seen = ''
    const look = async (): Promise<void> => {
      const isShown = seen === '' || document.visibilityState !== 'hidden'
      // Without an answer nothing is known, and nothing changes; without the first one there is no page.
      const info = isShown ? await loadSite(api).catch(() => undefined) : undefined
      if (isGone) return
      const text = JSON.stringify(info)
      if (info !== undefined && text !== seen) {
        seen = text
        applyBranding(info)
        if (info.englishOnly === 1) locale.set('en-US')
        setSite(info)
      }
      setOffline(seen === '')
      clearTimeout(timer)
      timer = setTimeout(lookNow, seen === '' ? SITE_RETRY_MS : LOOK_MS)
    }
    const lookNow = (): void => void look()
    lookNow()
    document.addEventListener('visibilitychange', lookNow)
    addEventListener(SITE_CHANGED, lookNow)
    return () => {
      isGone = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', lookNow)
      removeEventListener(SITE_CHANGED, lookNow)
    }
  }, [api, locale])
  return { site, setSite, isOffline }
}
