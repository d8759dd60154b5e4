import { join } from 'node:path'
import { freePort } from '@godwit/testkit'
import { expectNoBarriers, expectSound } from '../portal/barriers.ts'
import { expect, operate, withOwnServer } from '../portal/fixtures.ts'
import { operator } from '../portal/operator.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// Another storage would change where other files' tests keep theirs.
const test = withOwnServer(freePort)

test('an administrator copies a space to another storage, gives it up, and switches it after all', async ({
  browser,
  godwit,
  computer,
}) => {
  const { url, administrator } = godwit
  await operator(
    godwit,
    'storage',
    'add',
    '--name',
    'Archive',
    '--kind',
    'local',
    '--folder',
    join(computer, 'archive'),
  )
  const admin = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await admin.goto('/admin/spaces')
  await new SignInPage(admin).signIn(administrator.account, administrator.password)
  await expect(admin.getByRole('link', { name: 'Default space' })).toBeVisible()
  await operate(admin, 'mkdir', { folder: '/', name: 'Plans' })

  await admin.goto('/admin/spaces/1/move')
  await expect(admin.getByRole('heading', { level: 1, name: 'Storage of Default space' })).toBeVisible()
  await expect(admin.getByLabel('Other storage', { exact: true })).toHaveValue('2')
  await expectSound(admin)
  await admin.getByRole('button', { name: 'Start copying' }).click()
  const question = admin.getByRole('alertdialog', { name: 'Copy Default space to Archive?' })
  await expect(question).toContainText('everything stays where it is until you switch')
  await expectNoBarriers(admin)
  await question.getByRole('button', { name: 'Start copying' }).click()
  await expect(admin.getByText(/^Everything was on Archive at/)).toBeVisible()
  await expectSound(admin)

  await admin.getByRole('button', { name: 'Give up' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Give up' }).click()
  await expect(admin.getByText(/^The space stays where it was/)).toBeVisible()

  await admin.getByRole('button', { name: 'Start copying' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Start copying' }).click()
  await admin.getByRole('button', { name: 'Switch', exact: true }).click()
  const last = admin.getByRole('alertdialog', { name: 'Switch Default space to Archive?' })
  await expect(last).toContainText('It then starts again and looks at every file of this space once more')
  await expectNoBarriers(admin)
  await last.getByRole('button', { name: 'Switch', exact: true }).click()
  await expect(admin.getByText('1 home or library is on the new storage.')).toBeVisible()
  await expectSound(admin)
  await admin.goto('/personal')
  await expect(admin.getByRole('row').filter({ hasText: 'Plans' })).toBeVisible()
})
