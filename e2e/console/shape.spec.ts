import { encodePassword } from '@godwit/contract/passwords'
import type { Locator, Page } from '@playwright/test'
import { expect, signIn, test } from '../portal/fixtures.ts'

async function sizeOf(element: Locator): Promise<{ readonly width: number; readonly height: number }> {
  await expect(element).toBeVisible()
  // A window grows as it opens.
  await element.evaluate((node) => Promise.all(node.getAnimations().map((animation) => animation.finished)))
  const box = await element.boundingBox()
  return { width: box?.width ?? 0, height: box?.height ?? 0 }
}

/** Pages that the menu does not lead to. */
const FORMS = [
  'users/new',
  'users/import',
  'roles/new',
  'storages/new',
  'authentication/new',
  'notices/new',
  'hooks/new',
]

/** Controls that reach beyond the window, and tables whose columns do not fit on a desk. */
async function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
    const isBeyond = (control: Element): boolean => {
      if (!control.checkVisibility() || control.getBoundingClientRect().right <= innerWidth) return false
      for (let at = control.parentElement; at !== null && at.id !== 'content'; at = at.parentElement)
        if (scrolls(at)) return false
      return true
    }
    const controls = [...document.querySelectorAll('#content :is(a, button, input, select, textarea)')]
    const tables = [...document.querySelectorAll('#content :is([role=grid], [role=table])')]
    const isCut = ({ parentElement }: Element): boolean =>
      innerWidth >= 1400 && parentElement !== null && parentElement.scrollWidth > parentElement.clientWidth
    return [...controls.filter(isBeyond), ...tables.filter(isCut)].map((each) => each.outerHTML.slice(0, 120))
  })
}

/** Adds an object by the API, with the page's own session. */
async function add(page: Page, what: 'users' | 'departments', object: object): Promise<void> {
  const code = await page.evaluate(
    async ([path, body]) => {
      const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const answer = await fetch(`/api/admin/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { readonly code: number }).code
    },
    [what, object] as const,
  )
  expect(code).toBe(200)
}

async function expectToFit(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => tooWide(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1400, height: 900 })
}

// One walk over one list: each of its windows is opened once.
test('lists, drawers, dialogs and questions of the console have the sizes and manners of the specification', async ({
  page,
  godwit,
}) => {
  const people = Array.from({ length: 11 }, (_, at) => `crew_${process.pid}_${at + 10}`)
  await signIn(page, godwit)
  for (const account of people) await add(page, 'users', { account, password: encodePassword('Tidal-flats-42') })
  // Long names make wide columns and wide filters.
  await add(page, 'departments', { name: 'A department with a name that is rather long' })
  await page.goto('/admin/users?text=crew_')
  const rows = page.getByRole('grid').or(page.getByRole('table')).first().getByRole('row')
  // Not the one that the list is sorted by from the start.
  const lastSignIn = page.getByRole('columnheader', { name: 'Last sign-in' })

  await test.step('ten rows a page at first, none below 49 px, and 10 to 50 to choose from', async () => {
    await expect(rows).toHaveCount(11)
    expect((await sizeOf(rows.nth(1))).height).toBeGreaterThanOrEqual(49)
    const size = page.getByRole('navigation').getByRole('combobox').last()
    expect(await size.locator('option').allTextContents()).toEqual(['10', '20', '30', '40', '50'])
    await size.selectOption('20')
    await expect.poll(() => rows.count()).toBeGreaterThan(11)
  })

  await test.step('a column is sorted up, down, and not at all', async () => {
    const orders: Array<string | null> = []
    for (let press = 0; press < 3; press++) {
      orders.push(await lastSignIn.getAttribute('aria-sort'))
      await lastSignIn.getByRole('button').click()
      await expect(lastSignIn).not.toHaveAttribute('aria-sort', orders.at(-1) ?? '')
    }
    expect(new Set(orders)).toEqual(new Set(['none', 'ascending', 'descending']))
  })

  await test.step('a drawer is 460 px wide, a dialog 520 at least', async () => {
    await page
      .getByText(people[0] ?? '', { exact: true })
      .first()
      .click()
    expect((await sizeOf(page.getByRole('dialog'))).width).toBe(460)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    expect((await sizeOf(page.getByRole('dialog'))).width).toBeGreaterThanOrEqual(520)
  })

  await test.step('a click beside a dialog closes it', async () => {
    await page.mouse.click(5, 5)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('an empty table says so, 120 px high', async () => {
    await page.goto('/admin/users?text=nobody-is-called-that')
    expect(
      (await sizeOf(page.getByRole('main').getByRole('heading', { level: 2 }).locator('..'))).height,
    ).toBeGreaterThanOrEqual(120)
  })

  await test.step('no page is wider than its window, on a desk and on a phone', async () => {
    await page.goto('/admin/dashboard')
    const links = page.getByTestId('side').getByRole('link')
    await expect(links.first()).toBeVisible()
    const count = await links.count()
    expect(count).toBeGreaterThan(30)
    for (let at = 0; at < count; at++) {
      await links.nth(at).click()
      await expect(links.nth(at)).toHaveAttribute('aria-current', 'page')
      await expectToFit(page)
    }
    for (const form of FORMS) {
      await page.goto(`/admin/${form}`)
      await expectToFit(page)
    }
    await page.goto('/admin/users')
  })

  await test.step('a question is 420 px wide, and Escape closes it and nothing else', async () => {
    await page.getByRole('button', { name: 'Add user' }).click()
    await page.locator('input[name=account]').fill('not_saved')
    await page.getByRole('link', { name: 'Users' }).first().click()
    const question = page.getByRole('alertdialog')
    expect((await sizeOf(question)).width).toBe(420)
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(page.locator('input[name=account]')).toHaveValue('not_saved')
  })
})
