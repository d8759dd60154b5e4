/** The browser's local storage; a browser that refuses it (private windows, full disk) keeps values for this page only. */
const memory = new Map<string, string>()
/** Not where the server draws first views: Node has a `localStorage` too, which is nobody's. */
const isBrowser = typeof window !== 'undefined'

export function readStored(key: string): string | undefined {
  try {
    return (isBrowser ? localStorage.getItem(key) : null) ?? memory.get(key)
  } catch {
    return memory.get(key) // Storage is switched off in this browser.
  }
}

export function writeStored(key: string, value: string | undefined): void {
  if (value === undefined) memory.delete(key)
  else memory.set(key, value)
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Storage is switched off or full: the value lives as long as the page.
  }
}

/** @returns undefined when nothing is stored or it is no JSON */
export function readStoredJson(key: string): unknown {
  const text = readStored(key)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Written by something else, or cut off: as good as nothing.
  }
}

/** Calls back when another tab of this browser stores the key. @param onChange receives undefined when it was removed */
export function onStoredElsewhere(key: string, onChange: (value: string | undefined) => void): void {
  if (!isBrowser) return
  addEventListener('storage', (event) => {
    if (event.key === key) onChange(event.newValue ?? undefined)
  })
}
