import { routes } from '@godwit/contract/table'
import type { SiteInfo } from '@godwit/contract'
import { createContext, use, useEffect } from 'react'
import type { Api } from '../../../lib/http.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'

const SiteContext = createContext<SiteInfo | undefined>(undefined)

export const SiteProvider = SiteContext

export function useSite(): SiteInfo {
  const site = use(SiteContext)
  if (site === undefined) throw new Error('no site information around this component')
  return site
}

export async function loadSite(api: Api): Promise<SiteInfo> {
  return api.call(routes.site.website, {})
}

/** The installation's own name in the reader's language, else the product's. */
export function productName(site: SiteInfo, texts: Texts): string {
  const own = texts.locale === 'zh-CN' ? site.productNameZH : site.productNameEN
  return own === '' ? texts('app.name') : own
}

/** What the browser's tab says: the page, then the site. */
export function tabTitle(page: string, site: SiteInfo, texts: Texts): string {
  return `${page} - ${site.urlName === '' ? productName(site, texts) : site.urlName}`
}

/** Names the tab while the calling page is shown. */
export function useTabTitle(page: string): void {
  const texts = useTexts()
  const title = tabTitle(page, useSite(), texts)
  useEffect(() => {
    document.title = title
  }, [title])
}

/** The installation's own logo; undefined shows the product's. */
export function ownLogo({ is_logo_change: isChanged, logo }: SiteInfo): string | undefined {
  return isChanged === 1 && logo !== '' ? logo : undefined
}
