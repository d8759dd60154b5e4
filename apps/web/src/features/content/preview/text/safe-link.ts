const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/**
 * The address of a link in somebody's document, when following it cannot run anything here.
 * @returns undefined for other schemes, for addresses within this site, and for what is none
 */
export function safeLink(href: string): string | undefined {
  const url = URL.parse(href)
  return url !== null && SCHEMES.has(url.protocol) ? url.href : undefined
}
