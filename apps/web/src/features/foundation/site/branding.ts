import type { SiteInfo } from '@godwit/contract'
import { brandTwins } from '../../../lib/colours.ts'

/** Puts the installation's primary colour and the twins that pass contrast on the page. */
export function applyBranding(site: Pick<SiteInfo, 'primaryColor' | 'ico' | 'is_icon_change'>): void {
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
}
