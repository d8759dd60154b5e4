import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBucket } from '@godwit/storage/testing'
import { type Godwit, launchRadosgw, type Radosgw } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, signIn, withOwnServer } from '../portal/fixtures.ts'
import { addPerson, type Person } from '../portal/operator.ts'
import { FilesPage } from '../portal/pages/files.page.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// Another default storage would change where other files' tests keep theirs.
const test = withOwnServer()

let service: Radosgw
test.beforeAll(async () => {
  service = await launchRadosgw()
})
test.afterAll(async () => service.stop())

/** A browser of somebody's own, signed in at this address. */
async function enter(browser: Browser, { url }: Godwit, who: { account: string; password: string }, path: string) {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await page.goto(path)
  await new SignInPage(page).signIn(who.account, who.password)
  return page
}

/** Fills in a bucket of the tests' own S3 service, with a secret that is wrong. */
async function describeBucket(page: Page, bucket: string): Promise<void> {
  await page.getByLabel('Type').selectOption('S3-compatible')
  await page.locator('input[name=name]').fill('Bucket')
  await page.locator('input[name=endpoint]').fill(service.endpoint)
  await page.locator('input[name=region]').fill('us-east-1')
  await page.locator('input[name=bucket]').fill(bucket)
  await page.locator('input[name=accessKeyId]').fill(service.accessKeyId)
  await page.locator('input[name=secret]').fill('not-the-secret')
  await page.getByLabel('Bucket in the path').check()
  await page.getByLabel('Conditional writes').uncheck()
}

/** A space on the bucket with one member. @returns its number */
async function addSpace(admin: Page, { account }: Person): Promise<number> {
  await admin.goto('/admin/spaces')
  await expect(admin.getByRole('link', { name: 'Default space' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Add space' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.locator('input[name=name]').fill('Laboratory')
  await dialog.getByLabel('Bucket').check()
  await expect(dialog.getByLabel('Default storage')).toHaveValue(/^\d+$/)
  await expectNoBarriers(admin)
  await admin.keyboard.press('Enter')
  await admin.getByRole('link', { name: 'Laboratory' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Laboratory' })).toBeVisible()
  await admin.getByRole('button', { name: 'Add members' }).first().click()
  await admin.getByRole('dialog').locator('input[name=accounts]').fill(account)
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('row').filter({ hasText: account })).toBeVisible()
  await expectNoBarriers(admin)
  return Number(/\d+$/.exec(new URL(admin.url()).pathname)?.[0])
}

/** Uploads a file into the space and gets it back. */
async function useSpace(member: Page, { spaceId, folder }: { readonly spaceId: number; readonly folder: string }) {
  const path = join(folder, 'results.txt')
  await writeFile(path, 'measured')
  await member.goto(`/personal?space=${spaceId}`)
  await expect(member.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  const files = new FilesPage(member)
  await files.choose([path])
  await files.row('results.txt').click()
  const [download] = await Promise.all([
    member.waitForEvent('download'),
    files.toolbar.locator('[data-action=download]').click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('measured')
}

// One walk, because each step stands on what the one before it did.
test('an administrator adds a bucket, first with a wrong key, and a space on it; its member keeps files there', async ({
  browser,
  godwit,
  computer,
}) => {
  const { name: bucket, store } = await openBucket(service)
  const admin = await enter(browser, godwit, godwit.administrator, '/admin/storages')
  await expect(admin.getByRole('row').nth(1)).toContainText('Local')
  await expectNoBarriers(admin)

  await admin.getByRole('button', { name: 'Add storage' }).first().click()
  await describeBucket(admin, bucket)
  await admin.getByRole('button', { name: 'Test' }).click()
  await expect(admin.getByText('The access key or its secret is wrong. Enter them again.')).toBeVisible()
  await expect(admin.locator('input[name=secret]')).toBeFocused()
  await expect(admin.getByText('The test failed at this step')).toBeVisible()
  await expectNoBarriers(admin)
  await admin.keyboard.press('ControlOrMeta+a')
  await admin.keyboard.type(service.secretAccessKey)
  await admin.getByRole('button', { name: 'Test' }).click()
  await expect(admin.getByText('Everything works')).toBeVisible()
  await admin.getByRole('button', { name: 'Add storage' }).click()
  const drawer = admin.getByRole('dialog')
  await expect(drawer).toContainText('Set, not shown')
  await expect(drawer).toContainText(`${service.endpoint}/${bucket}`)
  await expect(drawer).not.toContainText(service.secretAccessKey)
  await expectNoBarriers(admin)

  await drawer.getByRole('button', { name: 'Test' }).click()
  await expect(admin.getByRole('dialog', { name: 'Test Bucket' })).toContainText('Everything works')
  await admin.keyboard.press('Escape')
  await admin.goto('/admin/storages')
  await admin.getByRole('button', { name: 'Remove Local' }).click()
  await expect(admin.getByRole('dialog')).toContainText('Default storage of Default space')
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeDisabled()
  await admin.keyboard.press('Escape')

  const person = await addPerson(godwit)
  const spaceId = await addSpace(admin, person)
  const member = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(member, { url: godwit.url, administrator: person })
  await useSpace(member, { spaceId, folder: computer })

  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/storages')
  await admin.getByRole('button', { name: 'Remove Bucket' }).click()
  await expect(admin.getByRole('dialog')).toContainText(`1 person or group: ${person.account}`)
  await expectNoBarriers(admin)
  await store[Symbol.asyncDispose]()
})
