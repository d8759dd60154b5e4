import type { Page } from '@playwright/test'

/** Keeps the page's own code back. @returns lets it come */
export async function holdCode(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** What the page asked its site for. */
export function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

/** How far anything on the page moved, from its first frame on, as browsers count it: below 0.1 is good (Web Vitals, CLS). */
export async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const seen = (entries: readonly unknown[]): void =>
          resolve(entries.reduce<number>((sum, entry) => sum + (entry as { readonly value: number }).value, 0))
        const observer = new PerformanceObserver((list) => seen(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => seen(observer.takeRecords())))
      }),
  )
}
