const KEY = 'godwit.scroll'
/** More are not worth their room in the tab's storage. */
const STORED_MAX = 100

export interface ScrollPlaces {
  /** Pixels: of this visit when it is known, else where the folder was last; 0 for a new one. */
  of(visit: string, href: string): number
  keep(visit: string, href: string, top: number): void
  /** Writes them down for the page that this tab loads next. */
  store(): void
}

/** @param storage belongs to the tab; one that refuses is done without */
export function createScrollPlaces(storage: () => Storage = () => sessionStorage): ScrollPlaces {
  const places = new Map<string, number>(stored(storage))
  return {
    of: (visit, href) => places.get(`${visit} ${href}`) ?? places.get(href) ?? 0,
    keep(visit, href, top) {
      for (const key of [`${visit} ${href}`, href]) {
        // The newest ones come last, and stay longest.
        places.delete(key)
        places.set(key, top)
      }
    },
    store() {
      try {
        storage().setItem(KEY, JSON.stringify([...places].slice(-STORED_MAX)))
      } catch {
        // Storage is switched off or full: the next page begins at the top.
      }
    },
  }
}

function stored(storage: () => Storage): Array<[string, number]> {
  try {
    const value: unknown = JSON.parse(storage().getItem(KEY) ?? '[]')
    return Array.isArray(value) ? value.filter(isPlace) : []
  } catch {
    return [] // Switched off, or written by something else.
  }
}

function isPlace(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number'
}
