import { type Visit, VisitPage } from '../../features/exchange/visits/index.ts'
import { ownLogo, SiteProvider, useSiteInfo } from '../../features/foundation/site/index.ts'
import { useServices } from '../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../lib/texts.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { OwnLogoProvider } from '../../ui/logo.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { Waiting } from '../../ui/waiting.tsx'

/** The page of one link, for people without an account. */
export function PublicPage({ visit }: { readonly visit: Visit }) {
  const { site, isOffline } = useSiteInfo()
  const { messages } = useServices()
  const texts = useTexts()
  const hasTexts = useTextBundle('share')
  if (site === undefined || !hasTexts) return <Waiting isOffline={isOffline} />
  return (
    <ErrorBoundary>
      <SiteProvider value={site}>
        <OwnLogoProvider value={ownLogo(site)}>
          <VisitPage visit={visit} />
          <Toasts messages={messages} label={texts('toasts.label')} dismissLabel={texts('common.dismiss')} />
        </OwnLogoProvider>
      </SiteProvider>
    </ErrorBoundary>
  )
}
