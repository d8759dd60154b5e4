/** A part of the page's code did not arrive. Asking for it again tries again. */
export class MissingPart extends Error {
  constructor(options: ErrorOptions) {
    super('a part of the page did not arrive', options)
    this.name = 'MissingPart'
  }
}

/** The versions of the page that this tab was loaded anew for. */
const MET_KEY = 'godwit.met-versions'
const ASK_MS = 10_000
/** Longer than a page takes to go; one that stays was kept by a person with something unfinished in it. */
const LEAVE_MS = 5_000

/**
 * Fetches a part of the page's code. A page that stayed open over an upgrade of the server asks for pieces that are gone:
 * it is loaded anew, once for each version it meets, so that two servers of different versions cannot make it a loop.
 * @throws MissingPart
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    await renewStyles()
    return await load()
  } catch (cause) {
    const version = await versionToMeet()
    if (version !== undefined) await leaveFor(version)
    throw new MissingPart({ cause })
  }
}

/** @returns the server's version of the page when it is another one than this, and was not met in this tab */
async function versionToMeet(): Promise<string | undefined> {
  const running = document.querySelector('script[type="module"]')?.getAttribute('src')
  try {
    // Each page is the one at its own address; the server gives it to those who ask for HTML.
    const answer = await fetch(location.pathname, {
      cache: 'no-store',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(ASK_MS),
    })
    const page = answer.ok ? await answer.text() : ''
    const fresh = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1]
    return fresh === undefined || fresh === running || metVersions().includes(fresh) ? undefined : fresh
  } catch {
    return undefined // Out of reach, or no storage to remember it in: then a person decides when to load anew.
  }
}

function metVersions(): readonly string[] {
  return sessionStorage.getItem(MET_KEY)?.split(' ') ?? []
}

async function leaveFor(version: string): Promise<void> {
  sessionStorage.setItem(MET_KEY, [...metVersions(), version].join(' '))
  location.reload()
  await new Promise((resolve) => setTimeout(resolve, LEAVE_MS))
}

const deadStyles = new Set<HTMLLinkElement>()

/** Notes each style sheet that does not arrive. An error of a link does not bubble; on its way down it can be seen. */
export function followStyles(): void {
  window.addEventListener('error', ({ target }) => isStyle(target) && deadStyles.add(target), true)
}

function isStyle(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet'
}

/** Vite's loader asks for a style sheet once, so one that did not arrive is asked for again here. */
async function renewStyles(): Promise<void> {
  const dead = [...deadStyles]
  deadStyles.clear()
  await Promise.all(dead.map(renewed))
}

async function renewed(dead: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  link.rel = dead.rel
  link.href = dead.href
  const arrival = new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => reject(new Error(`no style sheet ${link.href}`))
  })
  dead.replaceWith(link)
  await arrival
}
