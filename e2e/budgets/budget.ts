import type { Page } from '@playwright/test'

/** A figure of the pages with the limit that it is to keep. */
export interface Budget {
  readonly subject: string
  /** `ms`, `MB`, `nodes`, `%`, `points`; empty for a ratio. */
  readonly unit: string
  /** One for each run. */
  readonly values: readonly number[]
  readonly atMost?: number
  readonly atLeast?: number
}

/** Of a subject. */
export type Limit = Omit<Budget, 'subject' | 'values'>

/** What one run found, by subject. */
export type Found = Readonly<Record<string, number>>

/** Budgets of several runs, in the order of their limits. @throws Error for a subject without a figure */
export function budgetsOf(runs: readonly Found[], limits: Readonly<Record<string, Limit>>): Budget[] {
  return Object.entries(limits).map(([subject, limit]) => {
    const values = runs.map((run) => run[subject])
    if (values.some((value) => value === undefined || Number.isNaN(value)))
      throw new Error(`nothing found of ${subject}`)
    return { subject, ...limit, values: values as number[] }
  })
}

/** Notes from the first line of each page on: the longest task, the slowest answer to a press or click, and how far what was drawn has moved. */
export async function watchResponsiveness(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { longestTask: 0, slowestInteraction: 0, shift: 0 }
    Object.assign(globalThis, { noted })
    const observe = (options: PerformanceObserverInit, take: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) take(entry)
      }).observe({ buffered: true, ...options })
    observe({ type: 'longtask' }, ({ duration }) => {
      noted.longestTask = Math.max(noted.longestTask, duration)
    })
    observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit, (entry) => {
      const { interactionId, duration } = entry as PerformanceEventTiming
      if (interactionId > 0) noted.slowestInteraction = Math.max(noted.slowestInteraction, duration)
    })
    observe({ type: 'layout-shift' }, (entry) => {
      const { hadRecentInput, value } = entry as PerformanceEntry & {
        readonly hadRecentInput: boolean
        readonly value: number
      }
      if (!hadRecentInput) noted.shift += value
    })
  })
}

export interface Responsiveness {
  /** Milliseconds; 0: none was longer than 50. */
  readonly longestTask: number
  /** Milliseconds from a press or click to the frame that shows it. */
  readonly slowestInteraction: number
  /** Cumulative layout shift, as Web Vitals count it. */
  readonly shift: number
}

/** What {@link watchResponsiveness} has noted since the page was loaded. */
export async function responsiveness(page: Page): Promise<Responsiveness> {
  return page.evaluate(() => (globalThis as unknown as { readonly noted: Responsiveness }).noted)
}

/** From the start of the navigation to the largest paint, in milliseconds. */
export async function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
}
