import { readFile, writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { signIn } from './fixtures.ts'
import { codeTo, expect, test } from './mail-house.ts'
import { workbookOf } from './office-files.ts'
import { addPerson } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

// One piece: the link is followed from its making to its end, by owner and recipient.
test('a link for its recipients opens by a code that is mailed, and shows how far each has come', async ({
  browser,
  house: { godwit, smtp },
}, info) => {
  const mei = await addPerson(godwit)
  const context = await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })
  const owner = await context.newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  const plan = info.outputPath('plan.txt')
  await writeFile(plan, 'the plan, in full')
  const files = new FilesPage(owner)
  await files.choose([plan])
  await files.row('plan.txt').click()
  await files.toolbar.locator('[data-action=share]').click()
  const dialog = owner.getByRole('dialog', { name: 'Share “plan.txt”' })
  await dialog.getByLabel('Ask for a password').uncheck()
  await dialog.getByText('Send by e-mail and notify me').click()
  const guestAddress = `guest-${mei.account}@example.org`
  await importRecipients(dialog, guestAddress)
  await dialog.getByLabel('Language of the e-mail').selectOption('1')
  await dialog.getByLabel('Only for the recipients').check()
  await dialog.getByRole('button', { name: 'Preview the e-mail' }).click()
  const preview = dialog.getByRole('region', { name: 'Preview the e-mail' })
  await dialog.getByLabel('Message').fill('Please look at page 2.')
  await expect(preview.frameLocator('iframe').first().getByText('Please look at page 2.')).toBeVisible()
  await expect(preview.locator('pre')).toContainText('plan.txt')
  await expectNoBarriers(owner)
  await dialog.getByRole('button', { name: 'Hide the preview' }).click()
  await dialog.getByRole('button', { name: 'Create and copy link' }).click()
  await owner.getByRole('button', { name: 'Done' }).click()

  const { parsed } = await smtp.mailTo(guestAddress)
  const path = /\/share\/[0-9a-f]{32}#to=[0-9a-f]{32}/.exec(parsed.text ?? '')?.[0] ?? ''
  const guest = await (
    await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 }, baseURL: godwit.url })
  ).newPage()
  await guest.goto(path)
  await expect(guest.getByRole('heading', { name: 'Confirm your e-mail address' })).toBeVisible()
  await expectNoBarriers(guest)
  await guest.getByRole('button', { name: 'Send code to g…@example.org' }).click()
  const code = await codeTo(smtp, guestAddress, 2)
  const field = guest.getByLabel('Code', { exact: true })
  await field.fill(code === '000000' ? '111111' : '000000')
  await field.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarriers(guest)
  await field.fill(code)
  await field.press('Enter')
  await expect(guest.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
  const [download] = await Promise.all([
    guest.waitForEvent('download'),
    guest.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  const copy = await download.path()
  expect(await readFile(copy, 'utf8')).toBe('the plan, in full')
  await checkCopy(guest, copy)

  await owner.locator('nav').getByRole('link', { name: 'Share links' }).click()
  await owner.getByRole('row').filter({ hasText: 'plan.txt' }).getByRole('button', { name: 'plan.txt' }).first().click()
  const list = owner.getByTestId('link-recipients')
  const row = list.getByRole('listitem').filter({ hasText: guestAddress })
  // The page looks again while anything is under way.
  await expect(row).toContainText('Downloaded completely', { timeout: 20_000 })
  await expect(row).toContainText('Code entered')
  await expect(row).toContainText('1 file verified by checksum')
  await expect(list.getByRole('listitem').filter({ hasText: 'refused@' })).toContainText('E-mail refused', {
    timeout: 20_000,
  })
  await expectNoBarriers(owner)
  await list.getByRole('listitem').filter({ hasText: 'refused@' }).getByRole('button', { name: 'Send again' }).click()
  await expect(owner.getByText('The link is on its way to refused@example.org')).toBeVisible()
})

/** A copy that was changed on its way is told from a whole one. */
async function checkCopy(guest: Page, copy: string): Promise<void> {
  await guest.getByRole('row').filter({ hasText: 'plan.txt' }).locator('[data-action=check]').click()
  const dialog = guest.getByRole('dialog', { name: 'Check your copy of “plan.txt”' })
  await dialog.getByTestId('copy').setInputFiles({
    ...{ name: 'plan (1).txt', mimeType: 'text/plain', buffer: Buffer.from('the plan, in fulL') },
  })
  await expect(dialog.getByRole('status')).toHaveText(/This is not the same file/)
  await expectNoBarriers(guest)
  await dialog.getByTestId('copy').setInputFiles(copy)
  await expect(dialog.getByRole('status')).toHaveText('Your copy is complete and unchanged.')
  await expectNoBarriers(guest)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}

/** Those of a workbook, among names and headings; files without any say so. */
async function importRecipients(dialog: Locator, guestAddress: string): Promise<void> {
  const choose = (name: string, buffer: Buffer): Promise<void> =>
    dialog.getByTestId('recipients-file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await choose('people.csv', Buffer.from('Name,Phone\r\nMei,42\r\n'))
  await expect(dialog.getByRole('alert')).toHaveText('There is no e-mail address in “people.csv”.')
  await choose('people.xlsx', Buffer.from('not a workbook'))
  await expect(dialog.getByRole('alert')).toContainText('The file cannot be read.')
  await choose('people.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  await expect(dialog.getByRole('alert')).toContainText('old Excel format (.xls)')
  await expectNoBarriers(dialog.page())
  // A workbook whose directory announces 512 MiB is not even unpacked (T53).
  const bomb = await workbookOf([[guestAddress]], [])
  bomb.writeUInt32LE(2 ** 29, bomb.indexOf('PK\u0001\u0002') + 24)
  await choose('bomb.xlsx', bomb)
  await expect(dialog.getByRole('alert')).toContainText('The file cannot be read.')
  const people = [
    ['Name', 'E-mail'],
    ['Guest', guestAddress],
    ['Somebody', 'Some Body &lt;refused@example.org&gt;'],
  ]
  await choose('people.xlsx', await workbookOf(people, []))
  await expect(dialog.getByRole('alert')).toBeHidden()
  await expect(dialog.getByRole('list', { name: 'Recipients' }).getByRole('listitem')).toHaveText([
    /^guest-/,
    'refused@example.org',
  ])
}
