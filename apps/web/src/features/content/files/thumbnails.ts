/** The small picture of a file: its address for an image element, or null when the file has none. */
export type Thumbnail = string | null

/** Small pictures of what is on the screen. Those that scrolled away before their turn are never asked for. */
export interface Thumbnails {
  /** @returns undefined while it is not known */
  peek(key: string): Thumbnail | undefined
  /**
   * Fetches one in its turn.
   * @param load null for a file without a picture; a rejection is not kept
   * @returns takes the wish back
   */
  want(key: string, load: (signal: AbortSignal) => Promise<Blob | null>, onLoaded: () => void): () => void
}

/** Of the six connections that a browser has to a server, the others are for the person's work. */
const PARALLEL = 3
/** About 10 KB each. */
const KEPT = 500

interface Wish {
  readonly key: string
  readonly load: (signal: AbortSignal) => Promise<Blob | null>
  readonly onLoaded: () => void
  readonly stop: AbortController
}

interface Addresses {
  create(blob: Blob): string
  revoke(url: string): void
}

const PAGE: Addresses = { create: (blob) => URL.createObjectURL(blob), revoke: (url) => URL.revokeObjectURL(url) }

export function createThumbnails({ create, revoke }: Addresses = PAGE): Thumbnails {
  const kept = new Map<string, Thumbnail>()
  const waiting: Wish[] = []
  let running = 0

  function keep(key: string, blob: Blob | null): void {
    kept.set(key, blob === null ? null : create(blob))
    if (kept.size <= KEPT) return
    const [[oldest, url] = []] = kept
    if (oldest === undefined) return
    kept.delete(oldest)
    if (typeof url === 'string') revoke(url)
  }

  async function run({ key, load, onLoaded, stop }: Wish): Promise<void> {
    running++
    try {
      if (!kept.has(key)) keep(key, await load(stop.signal))
      if (!stop.signal.aborted) onLoaded()
    } catch {
      // The icon stays; the picture is asked for again when the file is shown again.
    } finally {
      running--
      next()
    }
  }

  function next(): void {
    while (running < PARALLEL) {
      const wish = waiting.shift()
      if (wish === undefined) return
      void run(wish)
    }
  }

  return {
    peek(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // What is shown again is the newest.
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    want(key, load, onLoaded) {
      const wish = { key, load, onLoaded, stop: new AbortController() }
      waiting.push(wish)
      next()
      return () => {
        const at = waiting.indexOf(wish)
        if (at >= 0) waiting.splice(at, 1)
        wish.stop.abort()
      }
    },
  }
}
