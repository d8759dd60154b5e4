/** Colours as the eye measures them: OKLCH (Ottosson 2020) for changing lightness, WCAG 2 for contrast. */

interface Rgb {
  readonly r: number
  readonly g: number
  readonly b: number
}

/** Twins of the brand colour that pass WCAG AA in their role; the brand itself stays exact (#FD5C1F is 3.12:1 on white). */
export interface BrandTwins {
  readonly brand: string
  /** Under white text, at least 4.5:1; hover and active are darker still. */
  readonly solid: string
  readonly solidHover: string
  readonly solidActive: string
  /** Text on white, on the canvas and on a selected row, at least 4.5:1. */
  readonly link: string
  /** On dark surfaces: bars, links and solid buttons that carry dark text. */
  readonly brandDark: string
  /** Tint of a selected row. */
  readonly selected: string
  readonly selectedDark: string
}

const WHITE = '#FFFFFF'
const DARK_SURFACE = '#1F1F1F'

/** @param colour `#RGB` or `#RRGGBB`; anything else counts as the default brand */
export function brandTwins(colour: string): BrandTwins {
  const brand = normalHex(colour) ?? '#FD5C1F'
  const selected = tint(brand, WHITE, { share: 0.09, text: '#6B6B6B' })
  const solid = darkened(brand, (candidate) => contrast(candidate, WHITE) >= 4.53)
  const link = darkened(brand, (candidate) =>
    [WHITE, '#F5F5F5', selected].every((on) => contrast(candidate, on) >= 4.53),
  )
  const selectedDark = tint(brand, DARK_SURFACE, { share: 0.16, text: '#9A9A9A' })
  const brandDark = lightened(brand, (candidate) =>
    [DARK_SURFACE, '#2A2A2A', selectedDark].every((on) => contrast(candidate, on) >= 4.53),
  )
  return {
    brand,
    solid,
    solidHover: shifted(solid, -0.035),
    solidActive: shifted(solid, -0.08),
    link,
    brandDark,
    selected,
    selectedDark,
  }
}

/** As much of the colour as the palest text on it bears. */
function tint(
  colour: string,
  ground: string,
  { share, text }: { readonly share: number; readonly text: string },
): string {
  for (let part = share; part > 0.01; part -= 0.005) {
    const candidate = mixed(colour, ground, part)
    if (contrast(text, candidate) >= 4.53) return candidate
  }
  return ground
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function darkened(colour: string, passes: (candidate: string) => boolean): string {
  return walked(colour, -0.004, passes) ?? '#000000'
}

function lightened(colour: string, passes: (candidate: string) => boolean): string {
  return walked(colour, 0.004, passes) ?? WHITE
}

function walked(colour: string, step: number, passes: (candidate: string) => boolean): string | undefined {
  for (let shift = 0; Math.abs(shift) <= 1; shift += step) {
    const candidate = shifted(colour, shift)
    if (passes(candidate)) return candidate
  }
  return undefined
}

/** The same hue with another lightness; colour is taken back only as far as the screen cannot show it. */
function shifted(colour: string, by: number): string {
  const { l, c, h } = toOklch(fromHex(colour))
  const lightness = Math.min(1, Math.max(0, l + by))
  for (let chroma = c; chroma > 0.001; chroma *= 0.97) {
    const rgb = fromOklch(lightness, chroma, h)
    if ([rgb.r, rgb.g, rgb.b].every((part) => part >= -0.0005 && part <= 1.0005)) return toHex(rgb)
  }
  return toHex(fromOklch(lightness, 0, h))
}

function mixed(colour: string, ground: string, share: number): string {
  const a = fromHex(colour)
  const b = fromHex(ground)
  const part = (x: number, y: number): number => x * share + y * (1 - share)
  return toHex({ r: part(a.r, b.r), g: part(a.g, b.g), b: part(a.b, b.b) })
}

function normalHex(colour: string): string | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(colour)
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`.toUpperCase()
  return /^#[\da-f]{6}$/i.test(colour) ? colour.toUpperCase() : undefined
}

function fromHex(colour: string): Rgb {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16) / 255
  return { r: part(1), g: part(3), b: part(5) }
}

function toHex({ r, g, b }: Rgb): string {
  const part = (value: number): string =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${part(r)}${part(g)}${part(b)}`.toUpperCase()
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function gamma(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
}

function luminance(colour: string): number {
  const { r, g, b } = fromHex(colour)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

function toOklch(rgb: Rgb): { readonly l: number; readonly c: number; readonly h: number } {
  const r = linear(rgb.r)
  const g = linear(rgb.g)
  const b = linear(rgb.b)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return { l, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

function fromOklch(l: number, c: number, h: number): Rgb {
  const a = c * Math.cos(h)
  const b = c * Math.sin(h)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return {
    r: gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    g: gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    b: gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  }
}
