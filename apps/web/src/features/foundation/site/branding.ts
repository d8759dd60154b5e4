import type { SiteInfo } from '@godwit/contract'
import { brandTwins } from '../../../lib/colours.ts'

/** Puts the installation's primary colour, with the twins that pass contrast, and its icon on the page. */
export function applyBranding(
  site: Pick<SiteInfo, 'primaryColor' | 'cardTransparency' | 'ico' | 'is_icon_change'>,
): void {
  const twins = brandTwins(site.primaryColor)
  const { style } = document.documentElement
  style.setProperty('--brand-light', twins.brand)
  style.setProperty('--brand-dark', twins.brandDark)
  style.setProperty('--solid-light', twins.solid)
  style.setProperty('--solid-hover-light', twins.solidHover)
  style.setProperty('--solid-active-light', twins.solidActive)
  style.setProperty('--link-light', twins.link)
  style.setProperty('--selected-light', twins.selected)
  style.setProperty('--selected-dark', twins.selectedDark)
  style.setProperty('--card-transparency', `${site.cardTransparency}%`)
  if (site.is_icon_change === 1 && site.ico !== '') showIcon(site.ico)
}

function showIcon(address: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  // Set first: the built-in icon's type would not be true of this one.
  link.removeAttribute('type')
  link.href = address
}
