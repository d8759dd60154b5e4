import { INCOMING } from '@godwit/contract/content/incoming'

/** Of {@link discard}. */
export interface WaitingFile {
  readonly key: string
  readonly file: File
}

/** What other apps of the device shared and nobody has uploaded or discarded yet, in the order it came. */
export async function waitingFiles(): Promise<readonly WaitingFile[]> {
  if (!('caches' in globalThis)) return []
  const cache = await caches.open(INCOMING.cache)
  const found: WaitingFile[] = []
  for (const request of await cache.keys()) {
    const answer = await cache.match(request)
    if (answer === undefined) continue
    const { pathname } = new URL(request.url)
    const name = decodeURIComponent(pathname.slice(INCOMING.page.length + 1))
    const lastModified = Date.parse(answer.headers.get('last-modified') ?? '')
    const content = await answer.blob()
    found.push({ key: request.url, file: new File([content], name, { type: content.type, lastModified }) })
  }
  return found
}

export async function discard(files: readonly WaitingFile[]): Promise<void> {
  const cache = await caches.open(INCOMING.cache)
  await Promise.all(files.map(({ key }) => cache.delete(key)))
}
