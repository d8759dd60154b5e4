import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, startSession, withOwnServer } from '../portal/fixtures.ts'

// What is sent to everybody reaches the readers of other tests.
const test = withOwnServer()

// One walk, because each step stands on what the one before it did.
test('a notice is written, planned, changed, canceled; another one is sent, read and counted', async ({
  page,
  godwit,
}) => {
  await startSession(page, godwit)
  await page.goto('/admin/notices')
  await expect(page.getByRole('heading', { name: 'No notices yet' })).toBeVisible()
  await expectNoBarriers(page)
  const dialog = page.getByRole('dialog')
  const row = page.getByRole('row').filter({ hasText: 'Maintenance' })

  await page.getByRole('button', { name: 'System notices' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Password changed' })).toContainText('Always on')
  await expect(page.getByRole('row').filter({ hasText: 'Joined a group' })).toContainText('On')
  await expectNoBarriers(page)
  await page.getByRole('main').getByRole('link', { name: 'Notices' }).click()

  // Nobody chosen, nothing written: said at the fields.
  await page.getByRole('button', { name: 'New notice' }).first().click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Choose everybody, or at least one person, group or department.')).toBeVisible()
  await page.getByLabel('Add people, groups or departments').fill('no such name')
  await expect(page.getByText('Nobody has this in their name.')).toBeVisible()
  await page.getByLabel('Add people, groups or departments').fill(godwit.administrator.account.slice(0, 3))
  await page.getByRole('list', { name: 'Found' }).getByRole('button').first().click()
  await expect(page.getByText(/Reaches 1 person/)).toBeVisible()
  await page.getByLabel('Title in English').fill('Maintenance')
  await page.getByLabel('Text in English').fill('Tonight. See https://status.example.org/now.')
  await page.getByLabel('E-mail').check()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('mail')
  await page.getByLabel('E-mail').uncheck()
  await page.getByLabel('Send later').check()
  await page.getByLabel(/^Time/).fill('2001-01-01T10:00')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Choose a time that is still to come.')).toBeVisible()
  await page.getByLabel(/^Time/).fill('2099-01-01T10:00')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()

  await expect(row).toContainText('Planned')
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel('Title in Chinese').fill('维护')
  await page.getByLabel('Text in Chinese').fill('今晚。')
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('link', { name: 'Maintenance' }).click()
  await expect(dialog).toContainText('维护')
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Cancel notice' }).click()
  await dialog.getByRole('button', { name: 'Cancel notice' }).click()
  await expect(row).toContainText('Canceled')

  await page.getByRole('button', { name: 'New notice' }).click()
  await page.getByLabel('Everybody').check()
  await page.getByLabel('Title in English').fill('Maintenance now')
  await page.getByLabel('Text in English').fill('See https://status.example.org/now.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = page.getByRole('row').filter({ hasText: 'Maintenance now' })
  await expect(sent).toContainText('Sent', { timeout: 30_000 })

  // Its reader follows the address, without the full stop, and is counted.
  await page.goto('/notification')
  await page.getByRole('button', { name: /Maintenance now/ }).click()
  await expect(page.getByRole('link', { name: 'https://status.example.org/now' })).toHaveAttribute(
    'href',
    'https://status.example.org/now',
  )
  await expectNoBarriers(page)
  await page.goto('/admin/notices')
  await expect(sent.getByRole('cell').last()).toBeVisible()
  await sent.getByRole('link', { name: 'Maintenance now' }).click()
  await expect(dialog.getByText('Read').locator('..')).toContainText('1')
})

test('a webhook is added, shows its secret once, is tested, edited and removed', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.goto('/admin/hooks')
  await expect(page.getByRole('heading', { name: 'No event hooks yet' })).toBeVisible()
  await expectNoBarriers(page)
  const dialog = page.getByRole('dialog')
  const row = page.getByRole('row').filter({ hasText: 'Mail room' })

  await page.getByRole('button', { name: 'Add event hook' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mail room')
  await page.getByLabel('Address').fill('mail.example.org')
  await expect(page.getByText('Enter an address that begins with https:// or http://.')).toBeVisible()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/in')
  await page.getByLabel('Link used').check()
  await page.getByRole('button', { name: 'Add event hook' }).click()
  await expect(page.getByText('This address cannot be called.')).toBeVisible()
  await expectNoBarriers(page)
  // Of a network that is nobody's (RFC 5737).
  await page.getByLabel('Address').fill('http://192.0.2.1:9/in')
  await page.getByRole('button', { name: 'Add event hook' }).click()
  await expect(dialog.getByLabel('Secret')).toHaveValue(/^whsec_/)
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await expect(row).toContainText('Active')
  await row.getByRole('button', { name: /^Test/ }).click()
  await expect(page.getByText(/The test did not arrive/)).toBeVisible({ timeout: 30_000 })
  await row.getByRole('button', { name: /^Deliveries/ }).click()
  await expect(page.getByRole('heading', { name: 'Nothing sent yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Send all given up again' }).click()
  await expect(page.getByText('Nothing to send again.')).toBeVisible()
  await expectNoBarriers(page)
  await page.getByRole('main').getByRole('link', { name: 'Event hooks' }).click()
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel('Active').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Off')
  await row.getByRole('button', { name: /^Renew secret/ }).click()
  await dialog.getByRole('button', { name: 'Renew secret' }).click()
  await expect(dialog.getByLabel('Secret')).toHaveValue(/^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'No event hooks yet' })).toBeVisible()
})
