import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, signIn, startSession, withOwnServer } from '../portal/fixtures.ts'
import { addPerson, operator } from '../portal/operator.ts'

// What it cleans is everybody's.
const test = withOwnServer()

const DAY_S = 24 * 3600

async function writeOld(folder: string, name: string, days: number): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, name)
  const time = Date.now() / 1000 - days * DAY_S
  await utimes(file, time, time)
}

/** Opens the rule of the storage beside the list, and sees what it would move. */
async function previewRule(admin: Page) {
  await admin.goto('/admin/storages?open=2')
  const drawer = admin.getByRole('dialog', { name: 'Archive' })
  await expect(drawer.getByRole('heading', { name: 'Auto-clean' })).toBeVisible()
  await expect(drawer).toContainText('Never')
  await drawer.getByRole('button', { name: 'Change auto-clean' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Auto-clean Archive' })
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeHidden()
  await dialog.getByLabel('Move old files to the recycle bin').check()
  await dialog.getByLabel('Age').selectOption('12 months')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('heading', { name: '1 file would move' })).toBeVisible()
  await expectNoBarriers(admin)
  // What is shown belongs to the rule that was asked about.
  await dialog.getByLabel('Age').selectOption('3 months')
  await expect(dialog.getByRole('heading', { name: /would move/ })).toBeHidden()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('heading', { name: '2 files would move' })).toBeVisible()
  return dialog
}

test('an administrator sees what auto-clean would move, switches it on, and the owner is led to the bin', async ({
  page: admin,
  browser,
  godwit,
  computer,
}) => {
  const person = await addPerson(godwit)
  const files = join(computer, 'archive')
  await operator(godwit, 'storage', 'add', '--name', 'Archive', '--kind', 'local', '--folder', files)
  const mount = ['--account', person.account, '--storage', '2', '--folder', 'old']
  await operator(godwit, 'mount', 'add', 'Archive', ...mount)
  const old = join(files, 'old')
  await mkdir(old, { recursive: true })
  await writeOld(old, 'minutes of 2019.txt', 2000)
  await writeOld(old, 'draft.txt', 100)
  await writeOld(old, 'young.txt', 3)

  await signIn(admin, { url: godwit.url, administrator: godwit.administrator })
  const dialog = await previewRule(admin)
  await expect(dialog).toContainText(`${person.account}: /Archive/minutes of 2019.txt`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const drawer = admin.getByRole('dialog', { name: 'Archive' })
  await expect(drawer).toContainText('3 months after their last change')
  await expect(drawer).toContainText('2 files (')
  await expectNoBarriers(admin)

  await writeOld(old, 'late.txt', 500)
  await admin.setViewportSize({ width: 390, height: 844 })
  await drawer.getByRole('button', { name: 'Clean now' }).click()
  const question = admin.getByRole('dialog', { name: 'Clean Archive now?' })
  await expectNoBarriers(admin)
  await question.getByRole('button', { name: 'Clean now' }).click()
  await expect(drawer).toContainText('1 file (8 B)')
  await expectNoBarriers(admin)

  const member = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await startSession(member, { url: godwit.url, administrator: person })
  await member.goto('/notification')
  const notice = member.getByRole('row').filter({ hasText: 'Old files were moved to your recycle bin' })
  await expect(notice).toHaveCount(2)
  await notice.last().getByRole('button').first().click()
  await expect(member.getByText('Files moved: 2')).toBeVisible()
  await expectNoBarriers(member)
  await member.getByRole('link', { name: 'Open recycle bin' }).click()
  await expect(member.getByText('minutes of 2019.txt')).toBeVisible()
})
