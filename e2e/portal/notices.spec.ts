import { encodePassword } from '@godwit/contract/passwords'
import type { Page } from '@playwright/test'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { addPerson, type Person } from './operator.ts'
import { NoticesPage } from './pages/notices.page.ts'
import { ShellPage } from './pages/shell.page.ts'

/** Each change of the own e-mail address makes a notice. Returns when the bell counts them all, since they are made in the background. */
async function makeNotices(page: Page, person: Person, count: number): Promise<void> {
  await page.evaluate(
    async ([account, password, times]) => {
      const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
      for (let round = 0; round < times; round++) {
        const response = await fetch('/api/user/info/update', {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ email: `${account}.${Date.now()}.${round}@example.org`, password }),
        })
        if (!response.ok) throw new Error(await response.text())
      }
    },
    [person.account, encodePassword(person.password), count] as const,
  )
  await expect(new ShellPage(page).bell).toHaveAccessibleName(`Notices: ${count} unread`)
}

test('the bell counts what is pushed; a notice expands with its lines and is read from then on', async ({
  page,
  godwit,
}) => {
  const person = await addPerson(godwit)
  await signIn(page, { url: godwit.url, administrator: person })
  const { bell } = new ShellPage(page)
  await expect(bell).toHaveAccessibleName('Notices')
  await makeNotices(page, person, 2)
  await bell.click()
  const { notices, unread } = new NoticesPage(page)
  await expect(notices).toHaveCount(2)
  await expect(unread).toHaveCount(2)
  const first = notices.first().getByRole('button')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await first.click()
  await expect(page.getByTestId('notices')).toContainText('E-mails now go to')
  await expect(unread).toHaveCount(1)
  await expect(bell).toHaveAccessibleName('Notices: 1 unread')
  await first.click()
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(unread).toHaveCount(1)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(unread).toHaveCount(0)
  await expect(bell).toHaveAccessibleName('Notices')
})

test('twelve notices are two pages of ten; another page size keeps the page, capped at the last', async ({
  page,
  godwit,
}) => {
  const person = await addPerson(godwit)
  await signIn(page, { url: godwit.url, administrator: person })
  await makeNotices(page, person, 12)
  await page.goto('/notification')
  const list = new NoticesPage(page)
  await expect(list.notices).toHaveCount(10)
  await expect(list.button('Previous page')).toBeDisabled()
  await list.button('Next page').click()
  await expect(page).toHaveURL(/\/notification\?page=2$/)
  await expect(list.notices).toHaveCount(2)
  await expect(list.button('Next page')).toBeDisabled()
  await page.reload()
  await expect(list.notices).toHaveCount(2)
  await list.pageSize.selectOption('20')
  await expect(page).toHaveURL(/\/notification\?size=20$/)
  await expect(list.notices).toHaveCount(12)
  expect(await list.pageSize.getByRole('option').allTextContents()).toEqual(['10', '20', '30', '40', '50'])
  await page.goto('/notification?page=7')
  await expect(page).toHaveURL(/\/notification\?page=2$/)
})

test('notices are selected by keyboard: a row, a range, the page, then all that there are', async ({
  page,
  godwit,
}) => {
  const person = await addPerson(godwit)
  await signIn(page, { url: godwit.url, administrator: person })
  await makeNotices(page, person, 12)
  await page.goto('/notification')
  const list = new NoticesPage(page)
  await list.notices.first().focus()
  await page.keyboard.press('Space')
  await expect(list.selected).toHaveText('1 selected')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(list.notices.nth(1)).toBeFocused()
  await expect(list.selected).toHaveText('2 selected')
  await page.keyboard.press('Control+a')
  await expect(list.selected).toHaveText('10 selected')
  await page.getByRole('button', { name: 'Select all 12' }).click()
  await expect(list.selected).toHaveText('12 selected')
  await page.getByRole('button', { name: 'Mark as read', exact: true }).click()
  await expect(list.unread).toHaveCount(0)
  await expect(new ShellPage(page).bell).toHaveAccessibleName('Notices')
  await expect(list.selected).toHaveCount(0)
})

test('many pages show one boundary page, two siblings and gaps', async ({ page, godwit }) => {
  await page.route('**/api/notice/list*', async (route) => {
    const current = Number(new URL(route.request().url()).searchParams.get('pageNum'))
    const notic_list = [
      { id: `${current}`, title: `From page ${current}`, content: '', create_time: Date.now(), isShowed: 1 },
    ]
    await route.fulfill({ json: { code: 200, data: { notic_list, total: 200, size: 10, current, unread: 0 } } })
  })
  await startSession(page, godwit)
  await page.goto('/notification?page=10')
  const list = new NoticesPage(page)
  await expect(list.notices).toContainText('From page 10')
  expect(await list.shownPages()).toEqual(['1', '…', '8', '9', '10', '11', '12', '…', '20'])
  await list.button('Page 1').click()
  await expect(list.notices).toContainText('From page 1')
  expect(await list.shownPages()).toEqual(['1', '2', '3', '…', '20'])
})

test('lines are kept and text stays text', async ({ page, godwit }) => {
  const content = 'First line\nSecond line\n<img src=x onerror=alert(1)>'
  await page.route('**/api/notice/list*', async (route) => {
    const notic_list = [{ id: '1', title: '<b>Title</b>', content, create_time: Date.now(), isShowed: 1 }]
    await route.fulfill({ json: { code: 200, data: { notic_list, total: 1, size: 10, current: 1, unread: 0 } } })
  })
  await startSession(page, godwit)
  await page.goto('/notification')
  const notice = new NoticesPage(page).notices.first()
  await notice.getByRole('button', { name: '<b>Title</b>' }).click()
  const text = page.getByTestId('notices').getByText('First line')
  expect(await text.evaluate((element) => (element as HTMLElement).innerText)).toBe(content)
})

test('without notices the page says so; without an answer it offers another try', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  await startSession(page, { url: godwit.url, administrator: person })
  await page.goto('/notification')
  await expect(page.getByRole('heading', { name: 'No notices' })).toBeVisible()
  const failure = { code: 1024, message: 'nothing here' }
  await page.route('**/api/notice/list*', (route) => route.fulfill({ status: 400, json: failure }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This list could not be loaded' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No notices' })).toBeVisible()
})
