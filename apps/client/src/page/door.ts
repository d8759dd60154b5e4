import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, type Random, randomHex } from '@godwit/base'

/** A link that nobody opened in this time is worth nothing. */
const LINK_MS = 60_000
/** Pages that are open at once; the oldest one goes. */
const PAGES_MAX = 20
const KEY_BYTES = 32

/**
 * Who may drive the client by its page. The folder of the client keeps a key that only its owner can read. A program with the
 * key gets links, a link opens one page once, and the page keeps a token of its own. Nothing of it lies in a cookie, so a browser
 * adds it to no request of another site.
 */
export class Door {
  readonly key: string
  readonly #clock: Clock
  readonly #random: Random
  /** By the hashes of links. */
  readonly #links = new Map<string, { readonly until: number; readonly server: string }>()
  readonly #pages = new Set<string>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
    this.key = randomHex(random, KEY_BYTES)
  }

  isKey(given: string): boolean {
    return timingSafeEqual(digest(given), digest(this.key))
  }

  /** @param server the page asks whether to sign in there; '' for none */
  newLink(server: string): string {
    const now = this.#clock.monotonic()
    for (const [hash, { until }] of this.#links) if (until <= now) this.#links.delete(hash)
    const link = randomHex(this.#random, KEY_BYTES)
    this.#links.set(nameOf(link), { until: now + LINK_MS, server })
    return link
  }

  /** @returns the token of the page, and the server of its link; undefined for one that was used, is too old or was never given out */
  open(link: string): { readonly token: string; readonly server: string } | undefined {
    const known = this.#links.get(nameOf(link))
    this.#links.delete(nameOf(link))
    if (known === undefined || known.until <= this.#clock.monotonic()) return undefined
    const token = randomHex(this.#random, KEY_BYTES)
    this.#pages.add(nameOf(token))
    const [oldest] = this.#pages
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest)
    return { token, server: known.server }
  }

  isPage(token: string): boolean {
    return this.#pages.has(nameOf(token))
  }
}

/** Looked up by its hash, so that the time of a look-up says nothing about the text. */
function nameOf(text: string): string {
  return digest(text).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
