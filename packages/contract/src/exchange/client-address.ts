/**
 * The address that brings up the desktop client: `godwit://open?server=https%3A%2F%2Ffiles.example.org`. Any page and any program of
 * the computer can call it, so it names a server and nothing else: no command, no file, no token and no option.
 */

export const CLIENT_SCHEME = 'godwit'

/** A host name has at most 253 characters; escaped, with scheme and port, it stays far below. */
const ADDRESS_MAX = 512
/** Some systems put a slash after the word. */
const ADDRESS = /^godwit:\/\/open\/?\?server=([\w.%:[\]/-]+)$/i
/** ASCII: a name with other letters comes as punycode, so that it shows what it is. */
const ORIGIN = /^https?:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/

/** @param origin of the server whose page asks for the client */
export function clientAddress(origin: string): string {
  return `${CLIENT_SCHEME}://open?server=${encodeURIComponent(origin)}`
}

/** @returns the origin of the server that an address names; undefined for everything else that such an address may say */
export function serverOfAddress(address: string): string | undefined {
  if (address.length > ADDRESS_MAX) return undefined
  const server = decoded(ADDRESS.exec(address)?.[1] ?? '')
  return isServerOrigin(server) ? server : undefined
}

/** Whether it is `http://HOST` or `https://HOST`, with a port if need be, exactly as a browser writes the origin of a page. */
export function isServerOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** @returns the origin of an address as people type it, such as `files.example.org`; undefined when it is none */
export function typedServer(text: string): string | undefined {
  const typed = text.trim()
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  return isServerOrigin(origin) ? origin : undefined
}

/** @returns '' for what is not escaped as it should be */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
