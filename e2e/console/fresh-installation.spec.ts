import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBucket } from '@godwit/storage/testing'
import { freePort, type Godwit, launchGodwit, launchRadosgw, type Radosgw } from '@godwit/testkit'
import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test as base } from '../portal/fixtures.ts'
import { workbookOf } from '../portal/office-files.ts'
import { FilesPage } from '../portal/pages/files.page.ts'
import { RecoveryPage } from '../portal/pages/recovery.page.ts'
import { ShellPage } from '../portal/pages/shell.page.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

const MIB = 1024 ** 2
const CHIEF = { account: 'harbor', password: 'Longest-flight-7' }
/** As the file of the import has it; everybody chooses another one at the first sign-in. */
const FIRST_PASSWORD = 'Tidal-flats-42'
const PASSWORD = 'Wide-estuary-9'
const PEOPLE = Array.from({ length: 200 }, (_, index) => `crew_${String(index + 1).padStart(3, '0')}`)
const [MEI, HELPER, LOCKED] = ['crew_001', 'crew_002', 'crew_003']

interface Harbor {
  readonly godwit: Godwit
  readonly service: Radosgw
}

/** A server without any account, as on the day it is installed, and a service with buckets. */
const test = base.extend<{ readonly harbor: Harbor }>({
  // Playwright reads what a fixture needs from this pattern, so it must be one.
  harbor: async ({}, use) => {
    const env = { GODWIT_ADMIN_ACCOUNT: '', GODWIT_ADMIN_PASSWORD: '' }
    // The port stays, because the switch of a space restarts the server.
    const port = await freePort()
    const [service, godwit] = await Promise.all([launchRadosgw(), launchGodwit({ env, port })])
    await use({ godwit, service })
    await Promise.all([godwit.stop(), service.stop()])
  },
  baseURL: async ({ harbor }, use) => use(harbor.godwit.url),
})

/** Follows the line that the start printed, and goes on to the console. */
async function setUp(admin: Page, { godwit }: Harbor): Promise<void> {
  const link = /Create the first administrator: (\S+)/.exec(godwit.output())?.[1] ?? ''
  await admin.goto(link)
  await expect(admin.locator('input[name=token]')).toHaveValue(/\S{20}/)
  await admin.getByRole('button', { name: 'Create administrator' }).click()
  await expect(admin.getByText('Incorrect e-mail format.')).toBeVisible()
  await admin.fill('input[name=account]', CHIEF.account)
  await admin.fill('input[name=email]', 'harbor@example.org')
  await admin.fill('input[name=password]', CHIEF.password)
  await admin.fill('input[name=repeat]', CHIEF.password)
  await admin.getByRole('button', { name: 'Create administrator' }).click()
  await expect(admin).toHaveURL(/\/personal/)
  await expect(admin.getByTestId('account')).toHaveText(CHIEF.account)
  await admin.getByTestId('account').click()
  await admin.getByRole('menuitem', { name: 'Administrator’s console' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}

/** Opens a page of the console by its entry in the menu. */
async function open(admin: Page, name: string): Promise<void> {
  await admin.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await expect(admin.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
}

/** Presses the button that opens a dialog of this name. */
async function ask(admin: Page, name: string): Promise<Locator> {
  await admin.getByRole('button', { name, exact: true }).first().click()
  return admin.getByRole('dialog')
}

/** Sends a dialog by the button of its name. */
async function send(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

async function addBucket(admin: Page, { service }: Harbor, bucket: string): Promise<void> {
  await open(admin, 'Storages')
  await admin.getByRole('button', { name: 'Add storage' }).first().click()
  await admin.getByLabel('Type').selectOption('S3-compatible')
  await admin.locator('input[name=name]').fill('Bucket')
  await admin.locator('input[name=endpoint]').fill(service.endpoint)
  await admin.locator('input[name=region]').fill('us-east-1')
  await admin.locator('input[name=bucket]').fill(bucket)
  await admin.locator('input[name=prefix]').fill('files')
  await admin.locator('input[name=accessKeyId]').fill(service.accessKeyId)
  await admin.locator('input[name=secret]').fill(service.secretAccessKey)
  await admin.getByLabel('Bucket in the path').check()
  await admin.getByLabel('Conditional writes').uncheck()
  await admin.getByRole('button', { name: 'Test' }).click()
  await expect(admin.getByText('Everything works')).toBeVisible()
  await admin.getByRole('button', { name: 'Add storage' }).click()
  await expect(admin.getByRole('dialog')).toContainText(`${service.endpoint}/${bucket}`)
  await admin.keyboard.press('Escape')
}

async function expectEntries(admin: Page, count: number): Promise<void> {
  await expect(admin.getByText(`${count} entries`, { exact: true })).toBeVisible()
}

/** Two hundred people out of a workbook whose numbers are numbers. */
async function importPeople(admin: Page): Promise<void> {
  await open(admin, 'Users')
  await admin.getByRole('button', { name: 'Import', exact: true }).click()
  const rows = PEOPLE.map((account, index) => [
    ...[account, FIRST_PASSWORD, `Crew 船员 ${index + 1}`, `${account}@example.org`],
    13_900_000_001 + index,
  ])
  const buffer = await workbookOf([['Account', 'Password', 'Name', 'E-mail', 'Phone'], ...rows], [])
  await admin
    .getByTestId('import-file')
    .setInputFiles({ name: 'crew.xlsx', mimeType: 'application/octet-stream', buffer })
  await admin.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(admin.getByRole('button', { name: `Ready ${PEOPLE.length}` })).toBeVisible()
  await admin.getByRole('button', { name: `Add ${PEOPLE.length} users` }).click()
  await expect(admin.getByRole('button', { name: `Added ${PEOPLE.length}` })).toBeVisible({ timeout: 200_000 })
  await open(admin, 'Users')
  // With the super administrator.
  await expectEntries(admin, PEOPLE.length + 1)
}

/** A space on one storage, for everybody. */
async function addSpace(admin: Page, name: string, storage: string): Promise<void> {
  await open(admin, 'Spaces')
  const dialog = await ask(admin, 'Add space')
  await dialog.locator('input[name=name]').fill(name)
  await dialog.getByLabel(storage).check()
  await send(dialog, 'Add space')
  await admin.getByRole('link', { name, exact: true }).click()
  const members = await ask(admin, 'Add members')
  await members.locator('input[name=accounts]').fill(PEOPLE.join(', '))
  await send(members, 'Add members')
  await expectEntries(admin, PEOPLE.length)
}

async function addGroup(admin: Page, name: string, space: string, people: readonly string[]): Promise<void> {
  await open(admin, 'Groups')
  const dialog = await ask(admin, 'Add group')
  await dialog.locator('input[name=name]').fill(name)
  await dialog.getByLabel('Space').selectOption(space)
  await send(dialog, 'Add group')
  await expect(admin.getByRole('row').filter({ hasText: name })).toContainText(space)
  await admin.getByRole('link', { name, exact: true }).click()
  const members = await ask(admin, 'Add members')
  await members.locator('input[name=accounts]').fill(people.join('; '))
  await send(members, 'Add members')
  await expectEntries(admin, people.length)
}

/** Somebody for the accounts, and for nothing else. */
async function appointHelper(admin: Page): Promise<void> {
  await open(admin, 'Roles')
  await admin.getByRole('button', { name: 'Add role' }).first().click()
  await admin.locator('input[name=name]').fill('Help desk')
  const users = admin.getByRole('group', { name: 'Users' })
  await users.getByLabel('View').check()
  await users.getByLabel('Edit').check()
  await admin.getByRole('button', { name: 'Add role' }).click()
  await expect(admin.getByRole('row').filter({ hasText: 'Help desk' })).toBeVisible()
  await open(admin, 'Administrators')
  const dialog = await ask(admin, 'Appoint')
  await dialog.locator('input[name=account]').fill(HELPER)
  await dialog.getByRole('combobox').selectOption('Help desk')
  await send(dialog, 'Appoint')
  await expect(admin.getByRole('row').filter({ hasText: HELPER })).toBeVisible()
}

/** A folder of the bucket, in the home that somebody has on the disk. */
async function mountBucket(admin: Page, account: string): Promise<void> {
  await admin.goto(`/admin/users?text=${account}`)
  await admin.getByRole('link', { name: account }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await admin.getByRole('tab', { name: 'Storage' }).click()
  const dialog = await ask(admin, 'Add virtual directory')
  await dialog.locator('input[name=alias]').fill('Far away')
  await dialog.getByLabel('Space').selectOption('Field work')
  await dialog.getByLabel('Storage', { exact: true }).selectOption('Bucket')
  await dialog.locator('input[name=path]').fill('shared/far')
  await send(dialog, 'Add virtual directory')
  await expect(admin.getByText('Far away is in the home now.')).toBeVisible()
}

async function switchSelectorOn(admin: Page): Promise<void> {
  await open(admin, 'Settings')
  await admin.getByLabel('Find a setting').fill('Space selector')
  await admin.getByRole('link', { name: 'Space selector' }).click()
  await admin.getByLabel('Space selector').check()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText('The settings are saved and in force.')).toBeVisible()
}

/** The first sign-in of somebody whose password came out of the file. */
async function enter(browser: Browser, { godwit }: Harbor, account: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  const form = new SignInPage(page)
  await page.goto('/')
  await form.signIn(account, FIRST_PASSWORD)
  await expect(page).toHaveURL(/\/reset-password$/)
  await new RecoveryPage(page).choose(PASSWORD)
  await expect(page).toHaveURL(/\/signin$/)
  await form.signIn(account, PASSWORD)
  await expect(page).toHaveURL(/\/personal/)
  return page
}

/** What a role allows shows and works; the rest does neither. */
async function helpOut(browser: Browser, harbor: Harbor): Promise<void> {
  const helper = await enter(browser, harbor, HELPER)
  await helper.goto('/admin/users')
  const menu = helper.getByRole('navigation')
  await expect(menu.getByRole('link', { name: 'Users' })).toBeVisible()
  for (const name of ['Storages', 'Spaces', 'Groups', 'Roles', 'Settings'])
    await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(0)
  await helper.goto(`/admin/users?text=${LOCKED}`)
  await helper.getByRole('button', { name: `Lock ${LOCKED}` }).click()
  await send(helper.getByRole('dialog'), 'Lock')
  await expect(helper.getByRole('row').nth(1)).toContainText('Locked')
  const refused = await helper.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token: string }
    const answer = await fetch('/api/admin/storages', { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as { code: number }).code
  })
  expect(refused).toBe(1008)
  await helper.context().close()
}

async function chooseSpace(page: Page, name: string): Promise<FilesPage> {
  await new ShellPage(page).space.click()
  await page.getByRole('menuitem', { name }).click()
  await expect(new ShellPage(page).space).toHaveText(name)
  return new FilesPage(page)
}

/** @returns the hash of what a download brings */
async function download(files: FilesPage, name: string): Promise<string> {
  await files.row(name).click()
  const [saved] = await Promise.all([
    files.page.waitForEvent('download'),
    files.toolbar.locator('[data-action=download]').click(),
  ])
  return hashOf(await readFile(await saved.path()))
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Cuts or copies a file, goes into another folder, and pastes it there. */
async function carry(files: FilesPage, name: string, keys: 'Control+x' | 'Control+c', go: () => Promise<void>) {
  await files.row(name).click()
  await files.page.keyboard.press(keys)
  await go()
  await expect(files.row(name)).toHaveCount(0)
  await files.toolbar.locator('[data-action=paste]').click()
  await expect(files.row(name)).toBeVisible()
}

/** Names of the files that people keep on the disk of the server. */
async function namesOnDisk({ godwit }: Harbor): Promise<readonly string[]> {
  const found = await readdir(join(godwit.data, 'files'), { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile() && !entry.parentPath.includes('/.')).map(({ name }) => name)
}

/** Copies a space to the bucket from the console, and has the server switch it. */
async function moveSpace(admin: Page, name: string): Promise<void> {
  await open(admin, 'Spaces')
  await admin
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: /^Move to another storage/ })
    .click()
  await expect(admin.getByRole('heading', { level: 1, name: `Storage of ${name}` })).toBeVisible()
  await admin.getByLabel('Other storage', { exact: true }).selectOption('Bucket')
  await admin.getByRole('button', { name: 'Start copying' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Start copying' }).click()
  await expect(admin.getByText(/^Everything was on Bucket at/)).toBeVisible()
  await admin.getByRole('button', { name: 'Switch', exact: true }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Switch', exact: true }).click()
  await admin.getByRole('button', { name: 'Free the old storage' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Free the old storage' }).click()
  await expect(admin.getByText(/^The old storage was freed/)).toBeVisible()
}

// One walk, because each step stands on what the one before it did.
test('a fresh installation is set up in the browser, filled with people and places, and used', async ({
  browser,
  page: admin,
  harbor,
  computer,
}) => {
  // It is as long as several others.
  test.slow()
  const { name: bucket, store } = await openBucket(harbor.service)
  await setUp(admin, harbor)
  await addBucket(admin, harbor, bucket)
  await importPeople(admin)
  await addSpace(admin, 'Field work', 'Local')
  await addSpace(admin, 'Archive', 'Bucket')
  await addGroup(admin, 'Surveyors', 'Field work', PEOPLE.slice(0, 100))
  await addGroup(admin, 'Drafters', 'Archive', PEOPLE.slice(100, 160))
  await addGroup(admin, 'Crew of the boat', 'Default space', PEOPLE.slice(160))
  await appointHelper(admin)
  await mountBucket(admin, MEI)
  await switchSelectorOn(admin)
  await helpOut(browser, harbor)

  const [survey, pier] = [randomBytes(12 * MIB + 7), randomBytes(9 * MIB + 1)]
  await writeFile(join(computer, 'survey.bin'), survey)
  await writeFile(join(computer, 'pier.bin'), pier)
  const mei = await enter(browser, harbor, MEI)
  const files = await chooseSpace(mei, 'Archive')
  await files.choose([join(computer, 'survey.bin')])
  await expect(files.row('survey.bin')).toBeVisible()
  expect(await download(files, 'survey.bin')).toBe(hashOf(survey))
  expect(await namesOnDisk(harbor)).toEqual([])

  // From the disk into the bucket and back.
  await chooseSpace(mei, 'Field work')
  await files.choose([join(computer, 'pier.bin')])
  await expect(files.row('pier.bin')).toBeVisible()
  expect(await namesOnDisk(harbor)).toEqual(['pier.bin'])
  await carry(files, 'pier.bin', 'Control+x', () => files.row('Far away').dblclick())
  expect(await store.stat('shared/far/pier.bin')).toMatchObject({ size: pier.length })
  expect(await namesOnDisk(harbor)).toEqual([])
  expect(await download(files, 'pier.bin')).toBe(hashOf(pier))
  await carry(files, 'pier.bin', 'Control+c', () => mei.keyboard.press('Alt+ArrowUp'))
  expect(await namesOnDisk(harbor)).toEqual(['pier.bin'])
  expect(await download(files, 'pier.bin')).toBe(hashOf(pier))

  await moveSpace(admin, 'Field work')
  expect(await namesOnDisk(harbor)).toEqual([])
  await mei.reload()
  expect(await download(files, 'pier.bin')).toBe(hashOf(pier))
  await files.row('Far away').dblclick()
  expect(await download(files, 'pier.bin')).toBe(hashOf(pier))
  await store[Symbol.asyncDispose]()
})
