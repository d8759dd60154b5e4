import type { SiteInfo } from '@godwit/contract'
import { DEFAULT_BACKGROUND_COLOUR } from '@godwit/contract/limits'

/** The installation's own picture or colour behind the card; without either, the theme's canvas. The dark theme takes a tint of the colour. */
export function pageBackground(site: SiteInfo): string | undefined {
  if (site.is_bg_change === 1 && site.background !== '') return `url(${JSON.stringify(site.background)})`
  const colour = site.backgroundColor
  const isOwn = colour !== '' && colour.toUpperCase() !== DEFAULT_BACKGROUND_COLOUR
  if (!isOwn || !/^#[\da-f]{6}$/i.test(colour)) return undefined
  return `light-dark(${colour}, color-mix(in oklab, ${colour} 16%, #141414))`
}
