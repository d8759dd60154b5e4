import type { SiteInfo } from '@godwit/contract'
import { brandTwins } from '../../../lib/colours.ts'

/** The installation's primary colour, with the twins that pass contrast, as the style sheets take them. */
export function brandProperties({
  primaryColor,
  cardTransparency,
}: Pick<SiteInfo, 'primaryColor' | 'cardTransparency'>): Readonly<Record<`--${string}`, string>> {
  const twins = brandTwins(primaryColor)
  return {
    '--brand-light': twins.brand,
    '--brand-dark': twins.brandDark,
    '--solid-light': twins.solid,
    '--solid-hover-light': twins.solidHover,
    '--solid-active-light': twins.solidActive,
    '--link-light': twins.link,
    '--selected-light': twins.selected,
    '--selected-dark': twins.selectedDark,
    '--card-transparency': `${cardTransparency}%`,
  }
}

/** Puts the installation's colours and its icon on the page. */
export function applyBranding(
  site: Pick<SiteInfo, 'primaryColor' | 'cardTransparency' | 'ico' | 'is_icon_change'>,
): void {
  const { style } = document.documentElement
  for (const [name, value] of Object.entries(brandProperties(site))) style.setProperty(name, value)
  if (site.is_icon_change === 1 && site.ico !== '') showIcon(site.ico)
}

function showIcon(address: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  // Set first: the built-in icon's type would not be true of this one.
  link.removeAttribute('type')
  link.href = address
}
