import type { SiteInfo } from '@godwit/contract'
import { DEFAULT_BACKGROUND_COLOUR } from '@godwit/contract/limits'

/** The installation's own picture or colour behind the card; without either, the theme's canvas. */
export function pageBackground(site: SiteInfo): string | undefined {
  if (site.is_bg_change === 1 && site.background !== '') return `url(${JSON.stringify(site.background)})`
  const isOwn = site.backgroundColor !== '' && site.backgroundColor.toUpperCase() !== DEFAULT_BACKGROUND_COLOUR
  return isOwn && /^#[\da-f]{6}$/i.test(site.backgroundColor) ? site.backgroundColor : undefined
}
