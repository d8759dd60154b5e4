import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'

const ALL_RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } as const
/** What a theme changes is its colors. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

async function barriersOf(page: Page, rules: typeof ALL_RULES | typeof COLOR_RULES): Promise<readonly string[]> {
  await untilAtRest(page)
  const options: RunOptions = { runOnly: { ...rules, values: [...rules.values] }, resultTypes: ['violations'] }
  // Results of several frames are joined in a page that is opened for it each time.
  const isOne = page.frames().length === 1
  const violations = isOne
    ? await violationsIn(page, options)
    : (await new AxeBuilder({ page }).options(options).analyze()).violations
  // Kept with the report of the matrix, so that people can look at every state as well.
  if (isMatrix) await test.info().attach('state', { body: await page.screenshot(), contentType: 'image/png' })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}

/**
 * A colour in the middle of its transition is no colour anyone reads. What inherits a colour begins its own transition when
 * that of its parent ends, so one look is not enough. A transition that was cancelled is as good as finished.
 */
async function untilAtRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = async (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    const endingOnes = (): Animation[] =>
      document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    for (let running = endingOnes(); running.length > 0; running = endingOnes()) {
      await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)))
      await frame()
    }
  })
}

/** Runs axe in the page itself, which reads its program once for all states of the page. */
async function violationsIn(page: Page, options: RunOptions): Promise<ReadonlyArray<Pick<Result, 'id' | 'nodes'>>> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (how) => {
    const { violations } = await (globalThis as unknown as { readonly axe: typeof axe }).axe.run(document, how)
    return violations.map(({ id, nodes }) => ({ id, nodes }))
  }, options)
}

/** Visible texts that are cut off though nobody planned it: an ellipsis is a plan. */
async function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.children.length === 0 && (element.textContent ?? '').trim() !== '')
      .filter((element) => {
        const style = getComputedStyle(element)
        const isPlanned =
          style.textOverflow === 'ellipsis' || style.clipPath !== 'none' || style.overflowX !== 'visible'
        return (
          !isPlanned &&
          element.checkVisibility() &&
          element.scrollWidth > element.clientWidth + 1 &&
          element.clientWidth > 0
        )
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}

/**
 * Visible texts that did not come from the catalogue, while its pseudo-language is on: there every text begins with a bracket.
 * Names that people or makers gave (`translate=no`), keys, rows of files and the product's name are nobody's to translate.
 */
export async function bareTexts(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const home = node.parentElement
      const isFree = home === null || home.closest('[translate=no], kbd, script, style, [role=gridcell]') !== null
      if (!isFree && home.checkVisibility() && /\p{L}/u.test(text) && !text.startsWith('[')) texts.push(text)
    }
    return texts
  })
  return found.filter((text) => !/^(Godwit|· .*|\/.*)$/.test(text))
}

/**
 * No axe violation, no clipped text and nothing wider than the window, in the state the page is in. `npm test` walks the states
 * once for each width and looks at every theme and language on the way; the matrix walks them once for each view.
 */
export async function expectNoBarriers(page: Page): Promise<void> {
  await expectClean(page)
  if (isMatrix) return
  const view = await viewOf(page)
  if (view.width >= 1000) await inTheme(page, view.theme, () => expectNoViolations(page, COLOR_RULES))
  await inLanguage(page, view.locale, () => expectFits(page))
}

/**
 * No clipped text and nothing wider than the window, in either language: for walks over so many states that axe would take too long.
 * The matrix asks axe as well, and keeps a picture of each.
 */
export async function expectLegible(page: Page): Promise<void> {
  if (isMatrix) return expectNoBarriers(page)
  await expectFits(page)
  await inLanguage(page, (await viewOf(page)).locale, () => expectFits(page))
}

/** As `expectNoBarriers`, on a desk and on a phone. The page is as wide as a desk afterwards. */
export async function expectSound(page: Page): Promise<void> {
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoBarriers(page)
  }
  await page.setViewportSize({ width: 1400, height: 900 })
}

async function expectClean(page: Page): Promise<void> {
  await expectNoViolations(page, ALL_RULES)
  await expectFits(page)
}

async function expectNoViolations(page: Page, rules: typeof ALL_RULES | typeof COLOR_RULES): Promise<void> {
  expect(await barriersOf(page, rules)).toEqual([])
}

async function expectFits(page: Page): Promise<void> {
  expect(await page.locator('h1').count()).toBe(1)
  // A menu is put in its place again one frame after its texts changed.
  await expect.poll(() => clippedTexts(page)).toEqual([])
  await expect.poll(() => page.evaluate(hiddenSideways)).toEqual([])
}

/** The window and what a page consists of, where a part of it is only seen by scrolling sideways. */
function hiddenSideways(): readonly string[] {
  return [document.documentElement, ...document.querySelectorAll('#content, #content > *')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, className }) => `${tagName} ${className}`)
}

/** Runs `work` in the theme that the page is not in, and puts the page back. */
async function inTheme(page: Page, theme: View['theme'], work: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: theme === 'light' ? 'dark' : 'light' })
  await work()
  await page.emulateMedia({ colorScheme: theme })
}

/** Runs `work` in the language that the page is not in, and puts the page back. */
async function inLanguage(page: Page, locale: View['locale'], work: () => Promise<void>): Promise<void> {
  await speak(page, locale === 'en-US' ? 'zh-CN' : 'en-US')
  await work()
  await speak(page, locale)
}

/** As if the language had been chosen in another tab: the state of this one stays as it is. */
async function speak(page: Page, locale: View['locale']): Promise<void> {
  await page.evaluate((newValue) => {
    localStorage.setItem('godwit.locale', newValue)
    dispatchEvent(new StorageEvent('storage', { key: 'godwit.locale', newValue }))
  }, locale)
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
}

async function viewOf(page: Page): Promise<View> {
  return page.evaluate(() => ({
    locale: document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en-US',
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    width: innerWidth < 1000 ? 390 : 1400,
  }))
}

export interface View {
  readonly locale: 'zh-CN' | 'en-US'
  readonly theme: 'light' | 'dark'
  readonly width: 1400 | 390
}

/** `npm run test:matrix`: every walk in every view. */
export const isMatrix = process.env['E2E_MATRIX'] === '1'

const ALL_VIEWS: readonly View[] = (['en-US', 'zh-CN'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((theme) => ([1400, 390] as const).map((width) => ({ locale, theme, width }))),
)

/** The views in which the states of a page are walked through. */
export const VIEWS: readonly View[] = isMatrix
  ? ALL_VIEWS
  : [
      { locale: 'en-US', theme: 'light', width: 1400 },
      { locale: 'zh-CN', theme: 'dark', width: 390 },
    ]

export function viewName({ locale, theme, width }: View): string {
  return `${locale}, ${theme}, ${width} px`
}

export async function openView(
  browser: Browser,
  { locale, theme, width }: View,
  url: string,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    ...more,
    baseURL: url,
    locale,
    colorScheme: theme,
    viewport: { width, height: width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
  })
}
