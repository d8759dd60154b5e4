import { systemClock } from '@godwit/base'
import type { LinkInfo, OperationReply, SiteInfo } from '@godwit/contract'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { routes } from '@godwit/contract/table'
import { visits } from '@godwit/contract/table/visits'
import type { Locale } from '@godwit/i18n/locales'
import { loadPortalTexts, loadTextBundle, type PortalTexts, type TextBundle } from '@godwit/i18n/portal'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createVisit, loadDisk, type Visit, VisitLogin } from '../../features/exchange/visits/index.ts'
import { brandProperties, ownLogo, SiteProvider, tabTitle } from '../../features/foundation/site/index.ts'
import { SignInPage } from '../../features/identity/auth/index.ts'
import { createApi } from '../../lib/http.ts'
import type { InstallOffer } from '../../lib/install.ts'
import { createMessages } from '../../lib/messages.ts'
import { type Services, ServicesProvider } from '../../lib/services.tsx'
import { createSessionStore } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'
import { createTexts, FixedTexts, type Texts } from '../../lib/texts.tsx'
import { createThemeStore } from '../../lib/theme.ts'
import { AssumedMedia, NARROW, ROOMY } from '../../lib/use-media.ts'
import { OwnLogoProvider } from '../../ui/logo.tsx'
import { SIGN_IN_PAGE } from '../entry-pages.ts'

/** What a page shows before its code is there. The server runs this; the browser never loads it. */

/** Pieces of HTML. */
interface Drawn {
  /** Of the `html` element: the site's colours. */
  readonly style: string
  /** For windows of this media query alone, and for the address without a query. */
  readonly media?: string
  readonly title: string
  readonly body: string
  /** Its fields may be typed into and its buttons pressed: the page's own take over what was typed, and what was pressed. */
  readonly isLive?: true
}

/** For whom a page is drawn. */
interface Wanted {
  /** First part of the page's addresses. */
  readonly under: string
  readonly locale: Locale
  readonly isPhone: boolean
}

const PASSWORD_WANTED = errorSpec('LINK_PASSWORD_REQUIRED').wire
/** Cards that fill the screen of a phone. */
const PHONE_ROWS = 8
/** A site has one look; more are there while it is changed. */
const KEPT = 8
const kept = new Map<string, Promise<Drawn>>()

/** @param given answers that go out with the page @returns undefined where only the page's code knows what to show */
export async function drawFirstView(
  { under, locale, isPhone }: Wanted,
  given: Readonly<Record<string, unknown>>,
): Promise<Drawn | undefined> {
  const site = given[routes.site.website.path] as SiteInfo | undefined
  if (site === undefined) return undefined
  if (under === SIGN_IN_PAGE.under) return site.setupNeeded ? undefined : drawOnce(drawSignIn, { under, locale, site })
  const link = given[visits.verify.path] as { readonly code: number } | undefined
  const info = given[visits.info.path] as LinkInfo | undefined
  const listed = given[visits.list.path] as OperationReply<'list'> | undefined
  if (info !== undefined && listed !== undefined) return drawDisk({ locale, site, isPhone }, { info, listed })
  return link?.code === PASSWORD_WANTED ? drawOnce(drawLogin, { under, locale, site }) : undefined
}

async function drawOnce(
  draw: (locale: Locale, site: SiteInfo) => Promise<Drawn>,
  { under, locale, site }: Pick<Wanted, 'under' | 'locale'> & { readonly site: SiteInfo },
): Promise<Drawn> {
  const key = [under, locale, JSON.stringify(site)].join(' ')
  const drawn = kept.get(key) ?? draw(locale, site)
  if (!kept.has(key) && kept.size >= KEPT) kept.clear()
  kept.set(key, drawn)
  // The next one may succeed.
  drawn.catch(() => kept.delete(key))
  return drawn
}

async function drawSignIn(locale: Locale, site: SiteInfo): Promise<Drawn> {
  const texts = await textsOf(locale, [])
  const session = createSessionStore()
  const api = createApi({ session, locale: () => locale })
  const page = within(
    site,
    texts,
    <ServicesProvider value={servicesWith(api, session)}>
      <SignInPage onGo={() => undefined} />
    </ServicesProvider>,
  )
  return {
    ...headOf(site, texts, texts('sign-in.title')),
    // React writes this of no text: a form of two fields and no button that submits it sends nothing by itself.
    body: page.replaceAll(' type="submit"', ' type="button" data-submit=""'),
    isLive: true,
  }
}

async function drawLogin(locale: Locale, site: SiteInfo): Promise<Drawn> {
  const texts = await textsOf(locale, ['share'])
  return {
    ...headOf(site, texts, texts('share.title')),
    body: within(site, texts, <VisitLogin onSubmit={() => Promise.resolve()} />),
  }
}

/** Who asks, and whose page it is. */
interface Asked {
  readonly locale: Locale
  readonly site: SiteInfo
  readonly isPhone: boolean
}

/** What a link shares, where it asks for nothing: as the page shows it until the visit has begun. */
async function drawDisk({ locale, site, isPhone }: Asked, { info, listed }: Looked): Promise<Drawn> {
  const [texts, { VisitDisk }] = await Promise.all([textsOf(locale, ['share', 'inside']), loadDisk()])
  // As many as fill the screen: more would keep the first ones waiting.
  const items = isPhone ? listed.items.slice(0, PHONE_ROWS) : listed.items
  const shown = {
    info: { ...info, shareExpireTime: asUtc(info.shareExpireTime) },
    listed: { ...listed, items: items.map((item) => ({ ...item, time: asUtc(item.time) })) },
  }
  const visit: Visit = {
    ...createVisit(`/share/${info.linkId}`, () => locale),
    looked: shown.info,
    listed: shown.listed,
  }
  const media = isPhone ? NARROW : ROOMY
  return {
    ...headOf(site, texts, info.title),
    media,
    body: within(
      site,
      texts,
      <AssumedMedia value={(query) => query === media}>
        <ServicesProvider value={servicesWith(visit.api, visit.session)}>
          <VisitDisk visit={visit} info={shown.info} />
        </ServicesProvider>
      </AssumedMedia>,
    ),
  }
}

function servicesWith(api: Services['api'], session: Services['session']): Services {
  return {
    ...{ api, session },
    theme: createThemeStore(),
    clock: systemClock,
    messages: createMessages(systemClock),
    install: createStore<InstallOffer>(undefined),
  }
}

interface Looked {
  readonly info: LinkInfo
  readonly listed: OperationReply<'list'>
}

/** A time that shows in the server's zone as it is in UTC. Nobody sees it: it keeps the place of the one in the browser's zone. */
function asUtc(seconds: number): number {
  return seconds === 0 ? 0 : seconds + new Date(seconds * 1000).getTimezoneOffset() * 60
}

async function textsOf(locale: Locale, bundles: readonly TextBundle[]): Promise<Texts> {
  const parts = await Promise.all([loadPortalTexts(locale), ...bundles.map((name) => loadTextBundle(locale, name))])
  return createTexts(locale, Object.assign({}, ...parts) as PortalTexts, undefined, () => undefined)
}

function headOf(site: SiteInfo, texts: Texts, title: string): Pick<Drawn, 'style' | 'title'> {
  const properties = Object.entries(brandProperties(site)).map(([name, value]) => `${name}:${value}`)
  return { style: properties.join(';'), title: asText(tabTitle(title, site, texts)) }
}

function within(site: SiteInfo, texts: Texts, view: ReactNode): string {
  return renderToStaticMarkup(
    <FixedTexts texts={texts}>
      <SiteProvider value={site}>
        <OwnLogoProvider value={ownLogo(site)}>{view}</OwnLogoProvider>
      </SiteProvider>
    </FixedTexts>,
  )
}

/** @returns HTML that shows as the text */
function asText(text: ReactNode): string {
  return renderToStaticMarkup(text)
}
