import type { SiteInfo } from '@godwit/contract'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useLocaleStore } from '../../../lib/texts.tsx'
import { applyBranding } from './branding.ts'
import { loadSite } from './site.tsx'

const SITE_RETRY_MS = 2_000

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
  return { site, setSite, isOffline }
}
