import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, operate, signIn, startSession, withOwnServer } from '../portal/fixtures.ts'
import { addPerson } from '../portal/operator.ts'
import { FilesPage } from '../portal/pages/files.page.ts'

// The register of links lists those of everybody: other files' links would be rows of this one.
const test = withOwnServer()

/** Calls a route of links with the page's own session. */
async function askLinks<Data>(page: Page, route: string, body: object): Promise<Data> {
  return page.evaluate(
    async ([path, json]) => {
      const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${session.token}` }
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(json) })
      const { code, data } = (await answer.json()) as { code: number; data: unknown }
      if (code !== 200) throw new Error(`${path}: ${code}`)
      return data
    },
    [`/api/share/link/${route}`, body] as const,
  ) as Promise<Data>
}

// One walk: what the administrator does to the links is what their owner and guest meet next.
test('an administrator finds a link, sees who used it, cuts its guest off, and deletes it', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const owner = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  const plan = join(computer, 'plan.txt')
  await writeFile(plan, 'the plan')
  const files = new FilesPage(owner)
  await files.choose([plan])
  await expect(files.row('plan.txt')).toBeVisible()
  await operate(owner, 'mkdir', { folder: '/', name: 'Drawings' })
  const shared = { shareUrlType: 1, shareServerPath: '/', shareFiles: ['plan.txt'] }
  const { linkId } = await askLinks<{ readonly linkId: string }>(owner, 'create', shared)
  for (const shareFiles of [['plan.txt'], ['Drawings']])
    await askLinks(owner, 'create', { ...shared, shareFiles, needPassword: true, shareUrlPasswd: 'rose' })
  await askLinks(owner, 'create', { ...shared, shareUrlType: 0, shareFiles: ['Drawings'] })
  const guest = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await guest.goto(`${godwit.url}/share/${linkId}`)
  const [download] = await Promise.all([
    guest.waitForEvent('download'),
    guest.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('the plan')

  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await startSession(admin, godwit)
  await admin.goto('/admin/links/invite')
  await expect(admin.getByRole('row').filter({ hasText: mei.account })).toHaveCount(1)
  await admin.getByRole('link', { name: 'Share links' }).click()
  await expect(admin.getByRole('row').filter({ hasText: mei.account })).toHaveCount(3)
  await expectNoBarriers(admin)
  await admin.getByRole('searchbox', { name: 'Account of the owner' }).fill('nobody-of-this-name')
  await expect(admin.getByText('Nothing matches')).toBeVisible()
  await admin.getByRole('searchbox', { name: 'Account of the owner' }).fill(mei.account)
  await expect(admin.getByRole('row').filter({ hasText: mei.account })).toHaveCount(3)
  // Another filter, also of the same rows, leaves nothing selected.
  await admin.getByRole('checkbox', { name: 'Select this page' }).check()
  await expect(admin.getByText('3 selected')).toBeVisible()
  await admin.getByRole('searchbox', { name: 'Account of the owner' }).fill('')
  await expect(admin.getByText('3 selected')).toHaveCount(0)
  await expect(admin.getByRole('row').filter({ hasText: mei.account })).toHaveCount(3)

  await admin.goto(`/admin/links/share?open=${linkId}`)
  const drawer = admin.getByRole('dialog')
  await expect(drawer).toContainText('Default space · /plan.txt')
  await expect(drawer).toContainText('8 B')
  await expect(drawer.getByRole('heading', { name: 'History' })).toBeVisible()
  await expectNoBarriers(admin)
  await drawer.getByRole('button', { name: 'Disable' }).click()
  const question = admin.getByRole('dialog', { name: 'Disable this link?' })
  await expect(question).toContainText('This changes 1 link of 1 person. 1 visitor is sent out.')
  await expectNoBarriers(admin)
  await question.getByRole('button', { name: 'Disable' }).click()
  await expect(admin.getByText('Link disabled')).toBeVisible()
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'This link is not available' })).toBeVisible()

  await admin.getByRole('checkbox', { name: 'Select this page' }).check()
  await admin.getByRole('button', { name: 'Disable', exact: true }).click()
  await expect(admin.getByRole('dialog')).toContainText('This changes 2 links of 1 person. 1 link is left as it is.')
  await admin.keyboard.press('Escape')
  await admin.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(admin.getByRole('dialog')).toContainText('This changes 3 links of 1 person.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByRole('heading', { name: 'No share links yet' })).toBeVisible()
  await owner.goto('/link/share')
  await expect(owner.getByRole('heading', { name: 'No share links yet' })).toBeVisible()

  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/links/invite')
  await expect(admin.getByText('Drawings').first()).toBeVisible()
  await expectNoBarriers(admin)
})
