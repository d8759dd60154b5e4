import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ownLogo, SiteProvider, useSite, useSiteInfo } from '../../features/foundation/site/index.ts'
import { type EntryPath, ENTRY_PATHS, handover, logOut, SignInPage } from '../../features/identity/auth/index.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import { lazyModule, lazyPart } from '../../lib/lazy.tsx'
import { useServices } from '../../lib/services.tsx'
import { useStore } from '../../lib/store.ts'
import { useTextBundle, useTexts } from '../../lib/texts.tsx'
import { OwnLogoProvider } from '../../ui/logo.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { rememberPlace, takePlace } from './remembered-place.ts'
import { Waiting } from '../../ui/waiting.tsx'

const portal = lazyModule(() => import('./portal.tsx'), 'inside')
const Portal = lazyPart(portal, (module) => module.Portal, <Waiting />)
const setup = lazyModule(() => import('../../features/identity/setup/index.ts'), 'identity')
const SetupPage = lazyPart(setup, (module) => module.SetupPage, <Waiting />)
const recovery = lazyModule(() => import('../../features/identity/recovery/index.ts'), 'identity')
const ForgotPasswordPage = lazyPart(recovery, (module) => module.ForgotPasswordPage, <Waiting />)
const ResetPasswordPage = lazyPart(recovery, (module) => module.ResetPasswordPage, <Waiting />)

const signOn = lazyModule(() => import('../../features/identity/sign-on/index.ts'), 'identity')
const SignOnPage = lazyPart(signOn, (module) => module.SignOnPage, <Waiting />)
const invitation = lazyModule(() => import('../../features/identity/invitation/index.ts'), 'identity')
const InvitationPage = lazyPart(invitation, (module) => module.InvitationPage, <Waiting />)

/** Decides what a visitor sees: set-up, sign-in or the portal. The portal's code arrives only behind it. */
export function Gate() {
  const { site, setSite, isOffline } = useSiteInfo()
  const { session, messages } = useServices()
  const isSignedIn = useStore(session) !== undefined
  const texts = useTexts()
  // Beside the call for the site's look, not after it.
  const isExpected = isSignedIn && location.pathname !== '/signin'
  useTextBundle(isExpected ? 'inside' : undefined)
  useEffect(() => {
    if (isExpected) portal.prefetch()
  }, [isExpected])
  useLayoutEffect(() => {
    // What the server drew goes in the same frame in which the page shows it, or something else.
    if (site !== undefined) document.querySelector('#first')?.remove()
  }, [site])
  if (site === undefined) return <Waiting isOffline={isOffline} />
  return (
    <ErrorBoundary>
      <SiteProvider value={site}>
        <OwnLogoProvider value={ownLogo(site)}>
          {site.setupNeeded ? (
            <SetupPage onDone={() => setSite({ ...site, setupNeeded: false })} />
          ) : (
            <Entrance isSignedIn={isSignedIn} />
          )}
          <Toasts messages={messages} label={texts('toasts.label')} dismissLabel={texts('common.dismiss')} />
        </OwnLogoProvider>
      </SiteProvider>
    </ErrorBoundary>
  )
}

function Entrance({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { api, session } = useServices()
  const { resetPasswordSwitch } = useSite()
  const lastUser = useRef(session.get()?.userId)
  // Arriving at /signin logs out; the query string stays.
  const [isArrival, setArrival] = useState(location.pathname === '/signin' && isSignedIn)
  const [entry, go] = useEntryPath()
  // Whoever follows an invitation is another person than the one who is signed in here, perhaps.
  const showsPortal = isSignedIn && !isArrival && entry !== '/join' && entry !== '/signin/callback'
  // Before the page is painted: whoever leaves it at once is signed out all the same.
  useLayoutEffect(() => {
    if (isArrival) {
      logOut(api, session, 'logged-out')
      setArrival(false)
    }
  }, [isArrival, api, session])
  const isHandedOver = useStore(handover) !== undefined
  const isClosed =
    (entry === '/forgot-password' && resetPasswordSwitch !== 1) || (entry === '/reset-password' && !isHandedOver)
  if (!showsPortal && (entry === undefined || isClosed)) {
    rememberPlace(lastUser.current)
    history.replaceState(null, '', `/signin${location.search}`)
  }
  if (showsPortal && location.pathname === '/signin') history.replaceState(null, '', takePlace(session.get()?.userId))
  useEffect(() => {
    if (!showsPortal) return afterPaint(() => portal.prefetch())
    lastUser.current = session.get()?.userId
    return undefined
  }, [showsPortal, session])
  if (showsPortal) return <Portal />
  switch (isClosed ? '/signin' : entry) {
    case '/forgot-password':
      return <ForgotPasswordPage onGo={go} />
    case '/reset-password':
      return <ResetPasswordPage onGo={go} />
    case '/join':
      return <InvitationPage onGo={go} onDone={() => go('/signin')} />
    case '/signin/callback':
      return <SignOnPage onGo={go} onDone={() => go('/signin')} />
    case '/signin':
    case undefined:
      return <SignInPage onGo={go} />
  }
}

/** The page shown without a session; the address and the browser's own back and forward lead it. */
function useEntryPath(): readonly [EntryPath | undefined, (path: EntryPath) => void] {
  const [, setAddress] = useState(location.pathname)
  useEffect(() => {
    const follow = (): void => setAddress(location.pathname)
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = (path: EntryPath): void => {
    history.pushState(null, '', path + location.search)
    setAddress(path)
  }
  return [ENTRY_PATHS.find((path) => path === location.pathname), go]
}
