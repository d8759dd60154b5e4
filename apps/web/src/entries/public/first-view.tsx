import type { SiteInfo } from '@godwit/contract'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { routes } from '@godwit/contract/table'
import { visits } from '@godwit/contract/table/visits'
import type { Locale } from '@godwit/i18n/locales'
import { loadPortalTexts, loadTextBundle } from '@godwit/i18n/portal'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { VisitLogin } from '../../features/exchange/visits/index.ts'
import { brandProperties, ownLogo, SiteProvider, tabTitle } from '../../features/foundation/site/index.ts'
import { createTexts, FixedTexts } from '../../lib/texts.tsx'
import { OwnLogoProvider } from '../../ui/logo.tsx'

/** What the public page shows before its code is there. The server runs this; the browser never loads it. */

/** Pieces of HTML. */
interface Drawn {
  /** Of the `html` element: the site's colours. */
  readonly style: string
  readonly title: string
  readonly body: string
}

const PASSWORD_WANTED = errorSpec('LINK_PASSWORD_REQUIRED').wire
/** A site has one look; more are there while it is changed. */
const KEPT = 8
const kept = new Map<string, Promise<Drawn>>()

/** @param given answers that go out with the page @returns undefined where only the page's code knows what to show */
export async function drawFirstView(
  locale: Locale,
  given: Readonly<Record<string, unknown>>,
): Promise<Drawn | undefined> {
  const site = given[routes.site.website.path] as SiteInfo | undefined
  const link = given[visits.verify.path] as { readonly code: number } | undefined
  if (site === undefined || link?.code !== PASSWORD_WANTED) return undefined
  const key = locale + JSON.stringify(site)
  const drawn = kept.get(key) ?? drawLogin(locale, site)
  if (!kept.has(key) && kept.size >= KEPT) kept.clear()
  kept.set(key, drawn)
  return drawn
}

async function drawLogin(locale: Locale, site: SiteInfo): Promise<Drawn> {
  const [first, share] = await Promise.all([loadPortalTexts(locale), loadTextBundle(locale, 'share')])
  const texts = createTexts(locale, { ...first, ...share }, undefined, () => undefined)
  const properties = Object.entries(brandProperties(site)).map(([name, value]) => `${name}:${value}`)
  return {
    style: properties.join(';'),
    title: asText(tabTitle(texts('share.title'), site, texts)),
    body: renderToStaticMarkup(
      <FixedTexts texts={texts}>
        <SiteProvider value={site}>
          <OwnLogoProvider value={ownLogo(site)}>
            <VisitLogin onSubmit={() => Promise.resolve()} />
          </OwnLogoProvider>
        </SiteProvider>
      </FixedTexts>,
    ),
  }
}

/** @returns HTML that shows as the text */
function asText(text: ReactNode): string {
  return renderToStaticMarkup(text)
}
