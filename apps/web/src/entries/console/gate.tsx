import { useEffect, useState } from 'react'
import { ownLogo, SiteProvider, useSite, useSiteInfo } from '../../features/foundation/site/index.ts'
import { type EntryPath, handover, SignInPage } from '../../features/identity/auth/index.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import { lazyModule, lazyPart } from '../../lib/lazy.tsx'
import { useServices } from '../../lib/services.tsx'
import { useStore } from '../../lib/store.ts'
import { useTextBundle, useTexts } from '../../lib/texts.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { OwnLogoProvider } from '../../ui/logo.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { Waiting } from '../../ui/waiting.tsx'

const inside = lazyModule(() => import('./console.tsx'))
const Console = lazyPart(inside, (module) => module.Console, <Waiting />)
const recovery = lazyModule(() => import('../../features/identity/recovery/index.ts'), 'identity')
const ForgotPasswordPage = lazyPart(recovery, (module) => module.ForgotPasswordPage, <Waiting />)
const ResetPasswordPage = lazyPart(recovery, (module) => module.ResetPasswordPage, <Waiting />)

/** Decides what a visitor of the console sees: the sign-in, which is the portal's, or the console. */
export function Gate() {
  const { site, isOffline } = useSiteInfo()
  const { session, messages } = useServices()
  const isSignedIn = useStore(session) !== undefined
  const texts = useTexts()
  if (site === undefined) return <Waiting isOffline={isOffline} />
  // The first administrator is made in the portal.
  if (site.setupNeeded) return <ToSetup />
  return (
    <ErrorBoundary>
      <SiteProvider value={site}>
        <OwnLogoProvider value={ownLogo(site)}>
          {isSignedIn ? <Inside /> : <Entrance />}
          <Toasts messages={messages} label={texts('toasts.label')} dismissLabel={texts('common.dismiss')} />
        </OwnLogoProvider>
      </SiteProvider>
    </ErrorBoundary>
  )
}

function ToSetup() {
  useEffect(() => location.replace('/'), [])
  return <Waiting />
}

/** The pages without a session. The address stays, so that the sign-in leads on to the page that was asked for. */
function Entrance() {
  const { resetPasswordSwitch } = useSite()
  const [entry, go] = useState<EntryPath>('/signin')
  const isHandedOver = useStore(handover) !== undefined
  useEffect(() => afterPaint(() => inside.prefetch()), [])
  if (entry === '/forgot-password' && resetPasswordSwitch === 1) return <ForgotPasswordPage onGo={go} />
  if (entry === '/reset-password' && isHandedOver) return <ResetPasswordPage onGo={go} />
  return <SignInPage onGo={go} />
}

/** Code and texts of the console come side by side. */
function Inside() {
  useEffect(() => inside.prefetch(), [])
  const hasShared = useTextBundle('inside')
  const hasAccounts = useTextBundle('identity')
  const hasOwn = useTextBundle('console')
  return hasShared && hasAccounts && hasOwn ? <Console /> : <Waiting />
}
