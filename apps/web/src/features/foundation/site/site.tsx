import type { SiteInfo, siteRoutes } from '@godwit/contract'
import { createContext, use } from 'react'
import type { Api } from '../../../lib/http.ts'
import type { Texts } from '../../../lib/texts.tsx'

const SiteContext = createContext<SiteInfo | undefined>(undefined)

export const SiteProvider = SiteContext

export function useSite(): SiteInfo {
  const site = use(SiteContext)
  if (site === undefined) throw new Error('no site information around this component')
  return site
}

export async function loadSite(api: Api): Promise<SiteInfo> {
  return api.call<typeof siteRoutes.website>({ method: 'GET', path: '/api/website/info' }, undefined)
}

/** The installation's own name in the reader's language, else the product's. */
export function productName(site: SiteInfo, texts: Texts): string {
  const own = texts.locale === 'zh-CN' ? site.productNameZH : site.productNameEN
  return own === '' ? texts('app.name') : own
}
