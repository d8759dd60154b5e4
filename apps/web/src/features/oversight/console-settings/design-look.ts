import { DEFAULT_BACKGROUND_COLOUR } from '@godwit/contract/limits'
import { brandTwins } from '../../../lib/colours.ts'
import type { Locale } from '../../../lib/texts.tsx'
import type { SettingTexts } from './setting-values.ts'

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** How the site looks to one reader, by the values of the form. */
export interface Look {
  readonly name: string
  readonly company: string
  readonly mailName: string
  /** Address of the site's own logo; '' for the shipped one. */
  readonly logo: string
  readonly brand: string
  readonly solid: string
  readonly selected: string
  /** Behind the sign-in card. */
  readonly ground: string
  /** The sign-in card. */
  readonly card: string
  /** Where it stands. */
  readonly column: string
  readonly row: string
}

const SIDES = ['start', 'center', 'end'] as const

export function lookOf(values: SettingTexts, locale: Locale, theme: Theme): Look {
  const text = (name: string): string => values[`${name}${locale === 'zh-CN' ? 'ZH' : 'EN'}`]?.trim() ?? ''
  const twins = brandTwins(values['primaryColor'] ?? '')
  const isLight = theme === 'light'
  // Rows first, as the grid of positions counts.
  const place = Number(values['position'] ?? 6) - 1
  return {
    name: text('productName'),
    company: text('company'),
    mailName: text('mailHeader') || text('productName'),
    logo: values['logo'] ?? '',
    brand: twins.brand,
    solid: isLight ? twins.solid : twins.brandDark,
    selected: isLight ? twins.selected : twins.selectedDark,
    ground: groundOf(values, theme),
    card: `color-mix(in srgb, ${isLight ? '#ffffff' : '#1f1f1f'}, transparent ${shareOf(values['cardTransparency'])}%)`,
    column: SIDES[place % 3] ?? 'center',
    row: SIDES[Math.floor(place / 3)] ?? 'center',
  }
}

/** A number that is still being typed counts as none. */
function shareOf(text = ''): number {
  return /^\d{1,2}$/.test(text) ? Number(text) : 0
}

/** As the sign-in page has it: the default is the canvas of the theme, and the dark theme takes a tint of an own color. */
function groundOf({ background = '', backgroundColor: color = '' }: SettingTexts, theme: Theme): string {
  if (background !== '') return `center / cover url(${JSON.stringify(background)})`
  const isOwn = /^#[\da-f]{6}$/i.test(color) && color.toUpperCase() !== DEFAULT_BACKGROUND_COLOUR
  if (theme === 'light') return isOwn ? color : DEFAULT_BACKGROUND_COLOUR
  return isOwn ? `color-mix(in oklab, ${color} 16%, #141414)` : '#141414'
}
