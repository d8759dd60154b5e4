import type { SiteInfo } from '@godwit/contract'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { applyBranding, loadSite, SiteProvider } from '../../features/foundation/site/index.ts'
import { SignInPage } from '../../features/identity/auth/index.ts'
import { isTransient } from '../../lib/http.ts'
import { useServices } from '../../lib/services.tsx'
import { useStore } from '../../lib/store.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { rememberPlace, takePlace } from './remembered-place.ts'
import { Waiting } from './waiting.tsx'

const loadPortal = () => import('./portal.tsx')
const Portal = lazy(async () => ({ default: (await loadPortal()).Portal }))
const SetupPage = lazy(async () => ({ default: (await import('../../features/identity/setup/index.ts')).SetupPage }))

const SITE_RETRY_MS = 2_000

/** Decides what a visitor sees: set-up, sign-in or the portal. The portal's code arrives only behind it. */
export function Gate() {
  const [site, setSite] = useSiteInfo()
  const { session } = useServices()
  const isSignedIn = useStore(session) !== undefined
  if (site === undefined) return <Waiting />
  return (
    <ErrorBoundary>
      <SiteProvider value={site}>
        <Suspense fallback={<Waiting />}>
          {site.setupNeeded ? (
            <SetupPage onDone={() => setSite({ ...site, setupNeeded: false })} />
          ) : (
            <Entrance isSignedIn={isSignedIn} />
          )}
        </Suspense>
      </SiteProvider>
    </ErrorBoundary>
  )
}

function Entrance({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { session } = useServices()
  const lastUser = useRef(session.get()?.userId)
  // Arriving at /signin logs out; the query string stays (document 1, section 2).
  const [isArrival, setArrival] = useState(location.pathname === '/signin' && isSignedIn)
  const showsPortal = isSignedIn && !isArrival
  useEffect(() => {
    if (isArrival) {
      session.end('logged-out')
      setArrival(false)
    }
  }, [isArrival, session])
  if (!showsPortal && location.pathname !== '/signin') {
    rememberPlace(lastUser.current)
    history.replaceState(null, '', `/signin${location.search}`)
  }
  if (showsPortal && location.pathname === '/signin') history.replaceState(null, '', takePlace(session.get()?.userId))
  useEffect(() => {
    if (!showsPortal) void loadPortal()
    else lastUser.current = session.get()?.userId
  }, [showsPortal, session])
  return showsPortal ? <Portal /> : <SignInPage />
}

function useSiteInfo() {
  const { api } = useServices()
  const [site, setSite] = useState<SiteInfo>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const load = async (): Promise<void> => {
      try {
        const info = await loadSite(api)
        if (isGone) return
        applyBranding(info)
        setSite(info)
      } catch (error) {
        if (!isTransient(error)) throw error
        if (!isGone) timer = setTimeout(() => void load(), SITE_RETRY_MS)
      }
    }
    void load()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [api])
  return [site, setSite] as const
}
