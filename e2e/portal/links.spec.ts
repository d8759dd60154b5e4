import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { createLink, expect, operate, signIn, test } from './fixtures.ts'
import { addPerson } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

/** By which the server knows a phone. */
const PHONE = { locale: 'en-US', viewport: { width: 390, height: 844 }, userAgent: 'Mozilla/5.0 (Android) Mobile' }

/** Somebody without an account, in a browser of their own. */
async function guestOf(browser: Browser, width: number): Promise<Page> {
  return (await browser.newContext({ locale: 'en-US', viewport: { width, height: 844 } })).newPage()
}

/** Holds the answer from this address until it is let go. */
async function holdAnswer(page: Page, address: string) {
  const asked = Promise.withResolvers<undefined>()
  const gate = Promise.withResolvers<undefined>()
  await page.route(`**${address}`, async (route) => {
    asked.resolve(undefined)
    await gate.promise
    await route.continue()
  })
  return { asked: asked.promise, release: () => gate.resolve(undefined) }
}

/** Code that the page loaded without being told by its HTML: each piece cost a trip to the server of its own. */
async function foundLate(page: Page, html: string): Promise<readonly string[]> {
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  return loaded.filter((path) => path.endsWith('.js') && !html.includes(path))
}

function placesOf(elements: readonly Element[]) {
  return elements.map((element) => ({
    text: element.textContent,
    place: element.getBoundingClientRect().toJSON() as unknown,
  }))
}

/** Where the page of a phone has these elements before any of its code runs. */
async function drawnOn(browser: Browser, address: string, selector: string) {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(address)
  const places = await page.locator(selector).evaluateAll(placesOf)
  await context.close()
  return places
}

// One piece: the link is followed from its making to its end, by the same two people.
test('a file is shared with a password, downloaded by a guest, and closed again', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const context = await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const owner = await context.newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  const plan = join(computer, 'plan.txt')
  await writeFile(plan, 'the plan, in full')
  const files = new FilesPage(owner)
  await files.choose([plan])
  await files.row('plan.txt').click()

  // Two presses, and the link is on the clipboard.
  await files.toolbar.locator('[data-action=share]').click()
  await expect(owner.getByRole('dialog', { name: 'Share “plan.txt”' })).toBeVisible()
  await expectNoBarriers(owner)
  // Whoever would close the dialog while the line is slow would never see the address of the link that is made.
  const answer = await holdAnswer(owner, '/api/share/link/create')
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  await answer.asked
  await owner.keyboard.press('Escape')
  await expect(owner.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  answer.release()
  const address = (await owner.getByTestId('link-address').textContent()) ?? ''
  const password = (await owner.getByTestId('link-password').textContent()) ?? ''
  expect(password).toMatch(/^[a-z]{4}$/)
  expect(new URL(address).pathname).toMatch(/^\/share\/[0-9a-f]{32}$/)
  expect(await owner.evaluate(() => navigator.clipboard.readText())).toBe(address)
  // Said once, in the dialog: a message over it would cover its head on a phone.
  await expect(owner.getByText('Link copied to the clipboard')).toHaveCount(1)
  await expectNoBarriers(owner)
  await owner.getByRole('button', { name: 'Done' }).click()

  const guest = await guestOf(browser, 390)
  const html = (await (await guest.goto(address))?.text()) ?? ''
  const field = guest.getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  expect(await foundLate(guest, html)).toEqual([])
  // The server drew the same, in the same place, without a word of what is shared; the page has put its own there.
  expect(await guest.locator('h1').evaluateAll(placesOf)).toEqual(await drawnOn(browser, address, 'h1'))
  expect(html).not.toContain('plan.txt')
  expect(html).not.toContain(mei.account)
  await field.fill('0000')
  await field.press('Enter')
  await expect(guest.getByText('Wrong password')).toBeVisible()
  await expectNoBarriers(guest)
  await field.fill(password)
  await field.press('Enter')
  await expect(guest.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
  await expect(guest.getByTestId('owner')).toContainText(mei.account)
  await expectNoBarriers(guest)
  const [download] = await Promise.all([
    guest.waitForEvent('download'),
    guest.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('the plan, in full')

  await owner.locator('nav').getByRole('link', { name: 'Share links' }).click()
  const row = owner.getByRole('row').filter({ hasText: 'plan.txt' })
  await expect(row).toContainText('Active')
  await row.getByRole('button', { name: 'plan.txt' }).first().click()
  await expect(owner.getByTestId('link-detail')).toContainText(password)
  await expectNoBarriers(owner)
  await owner.keyboard.press('Escape')
  await row.locator('[data-action=disable-link]').click()
  await expect(row).toContainText('Disabled')
  await expectNoBarriers(owner)

  expect(await (await guest.reload())?.text()).not.toContain('needPassword')
  await expect(guest.getByRole('heading', { name: 'This link is not available' })).toBeVisible()
  await row.locator('[data-action=enable-link]').click()
  await expect(row).toContainText('Active')
  await guest.reload()
  await expect(guest.getByLabel('Password', { exact: true })).toBeVisible()

  // A link that asks for nothing shows what it is before its visit has begun, with and without the page's code.
  const hostile = `<b onclick=x>&"'.txt`
  await writeFile(join(godwit.data, 'files/users', mei.account, hostile), 'the name is the attack')
  const shared = { shareUrlType: 1, shareServerPath: '/', shareFiles: ['plan.txt', hostile] }
  const openId = await createLink(owner, shared)
  const open = `${godwit.url}/share/${openId}`
  const shown = 'h1, header p, [role=gridcell]'
  const drawn = await drawnOn(browser, open, shown)
  expect(JSON.stringify(drawn)).toContain(JSON.stringify(hostile).slice(1, -1))
  const phone = await (await browser.newContext(PHONE)).newPage()
  const beginning = Promise.withResolvers<void>()
  await phone.route('**/verify/url', async (route) => {
    await beginning.promise
    await route.continue()
  })
  await phone.goto(open)
  await expect(phone.locator('#first')).toHaveCount(0)
  expect(await phone.locator(shown).evaluateAll(placesOf)).toEqual(drawn)
  const everything = phone.getByRole('button', { name: 'Download everything' })
  await expect(everything).toBeDisabled()
  beginning.resolve()
  await expect(phone.getByRole('button', { name: hostile, exact: true })).toBeVisible()
  await expect(everything).toBeEnabled()
})

// One piece: what the owner asks is what the guest answers, and what the owner reads at the end.
test('a guest brings a file and a folder by an invite link, and its owner finds them', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const owner = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  const files = new FilesPage(owner)
  await files.toolbar.locator('[data-action=invite]').click()
  await owner.getByLabel('Ask for a password').uncheck()
  await owner.getByText('Ask visitors before they upload').click()
  await owner.getByLabel('Name', { exact: true }).selectOption('Required')
  await owner.getByRole('button', { name: 'Add a field' }).click()
  await owner.getByLabel('Field 1', { exact: true }).fill('Lot')
  await owner.getByLabel('Choices for field 1').fill('North; South')
  await owner.getByLabel('Terms to accept').fill('Drawings only.')
  await expectNoBarriers(owner)
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  const address = (await owner.getByTestId('link-address').textContent()) ?? ''
  await owner.getByRole('button', { name: 'Done' }).click()

  await mkdir(join(computer, 'drawings'))
  const [small, large] = [join(computer, 'drawings/small.txt'), join(computer, 'large.bin')]
  await writeFile(small, 'a drawing')
  await writeFile(large, Buffer.alloc(9_000_000, 7))
  const guest = await guestOf(browser, 1400)
  await guest.goto(address)
  await expect(guest.getByRole('heading', { level: 1, name: `Send files to ${mei.account}` })).toBeVisible()
  await guest.getByRole('button', { name: 'Continue' }).click()
  await expect(guest.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expectNoBarriers(guest)
  await guest.getByRole('textbox', { name: 'Name' }).fill('Ana Lima')
  await guest.getByLabel('Lot').selectOption('South')
  await guest.getByRole('button', { name: 'Continue' }).click()
  await expect(guest.getByText('Accept the terms to go on.')).toBeVisible()
  await guest.getByLabel('I accept the terms').check()
  await guest.getByRole('button', { name: 'Continue' }).click()
  const [one] = await Promise.all([
    guest.waitForEvent('filechooser'),
    guest.getByRole('button', { name: 'Choose files' }).click(),
  ])
  await one.setFiles([large])
  const [folder] = await Promise.all([
    guest.waitForEvent('filechooser'),
    guest.getByRole('button', { name: 'Choose a folder' }).click(),
  ])
  await folder.setFiles(join(computer, 'drawings'))
  await expect(guest.getByTestId('receipt')).toContainText('2 files were delivered')
  await expect(guest.getByTestId('brought').getByRole('button', { name: 'drawings' })).toBeVisible()
  await expectNoBarriers(guest)

  await expect(files.row('large.bin')).toBeVisible()
  await files.row('drawings').dblclick()
  await files.row('small.txt').click()
  const [download] = await Promise.all([
    owner.waitForEvent('download'),
    files.toolbar.locator('[data-action=download]').click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('a drawing')

  await owner.goto('/link/invite')
  const line = owner.getByRole('row').filter({ hasText: 'Active' })
  // It asks for files into all files of the person, which have no name on the server.
  await expect(line.getByRole('button').first()).toHaveText('My filesDefault space · /')
  await line.getByRole('button').first().click()
  await expect(owner.getByTestId('link-detail')).toContainText('Ana Lima')
  await expect(owner.getByTestId('link-detail')).toContainText('South')
  await expectNoBarriers(owner)
})

test('what a guest selected or opened in a folder is over in another one', async ({ browser, files, page, godwit }) => {
  const { folder } = files
  await mkdir(join(godwit.data, 'files/users/admin', folder, 'drawings'), { recursive: true })
  for (const path of ['plan.txt', 'drawings/plan.txt']) {
    await writeFile(join(godwit.data, 'files/users/admin', folder, path), `this is ${path}`)
  }
  const shared = await createLink(page, { shareUrlType: 1, shareServerPath: '/', shareFiles: [folder.slice(1)] })
  const guest = await guestOf(browser, 1400)
  await guest.goto(`${godwit.url}/share/${shared}`)
  const row = (name: string): Locator => guest.getByRole('row').filter({ hasText: name })
  const drawings = guest.getByRole('button', { name: 'drawings', exact: true })
  const into = async (): Promise<void> => {
    await drawings.click()
    await expect(row('drawings')).toHaveCount(0)
    await expect(row('plan.txt')).toBeVisible()
  }
  await into()
  await row('plan.txt').getByRole('checkbox').click()
  await expect(guest.getByText('1 selected')).toBeVisible()
  await guest.goBack()
  await expect(drawings).toBeVisible()
  await expect(guest.getByText('1 selected')).toHaveCount(0)
  await into()
  await row('plan.txt').locator('[data-action=check]').click()
  await expect(guest.getByRole('dialog')).toBeVisible()
  await guest.goBack()
  await expect(drawings).toBeVisible()
  await expect(guest.getByRole('dialog')).toHaveCount(0)
  await guest.context().close()

  const invited = await createLink(page, { shareUrlType: 0, shareServerPath: folder })
  const bringer = await guestOf(browser, 1400)
  await bringer.goto(`${godwit.url}/share/${invited}`)
  const newFolder = bringer.getByRole('button', { name: 'New folder' })
  await newFolder.click()
  await bringer.getByLabel('Folder name').fill('inlet')
  await bringer.keyboard.press('Enter')
  await expect(bringer).toHaveURL(/path=\/inlet$/)
  await expect(bringer.getByRole('dialog')).toHaveCount(0)
  await newFolder.click()
  await expect(bringer.getByRole('dialog')).toBeVisible()
  await bringer.goBack()
  await expect(bringer.getByTestId('brought').getByRole('button', { name: 'inlet' })).toBeVisible()
  await expect(bringer.getByRole('dialog')).toHaveCount(0)
  await bringer.context().close()
})

test('all that was selected under a filter is not all that matches another one', async ({ browser, godwit }) => {
  const mei = await addPerson(godwit)
  const owner = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  await operate(owner, 'mkdir', { folder: '/', name: 'plan' })
  const shared = { shareUrlType: 1, shareServerPath: '/', shareFiles: ['plan'] }
  // One more than a page holds, so that "all" is offered.
  for (let made = 0; made < 11; made++) await createLink(owner, shared)
  await owner.goto('/link/share')
  const list = owner.getByTestId('links')
  const selectAll = async (count: number): Promise<void> => {
    await list.getByRole('checkbox', { name: 'Select this page' }).check()
    await list.getByRole('button', { name: `Select all ${count}` }).click()
    await expect(list.getByText(`${count} selected`)).toBeVisible()
  }
  const disable = list.getByRole('button', { name: 'Disable', exact: true })
  await selectAll(11)
  await disable.click()
  await expect(list.getByRole('row').filter({ hasText: 'Disabled' })).toHaveCount(10)
  await createLink(owner, shared)

  const status = list.getByLabel('Status')
  await status.selectOption('Disabled')
  await expect(list.getByText('11 links')).toBeVisible()
  await selectAll(11)
  await list.getByRole('button', { name: 'Next page' }).click()
  // Another page of the same links.
  await expect(list.getByText('11 selected')).toBeVisible()
  await status.selectOption('All')
  await expect(list.getByText('12 links')).toBeVisible()
  await expect(list.getByText('selected')).toHaveCount(0)
  await expect(disable).toHaveCount(0)

  // By the way back as well.
  await selectAll(12)
  await owner.goBack()
  await expect(status).toHaveValue(/./)
  await expect(list.getByText('11 links')).toBeVisible()
  await owner.context().close()
})

test('a link for one device refuses the second browser until its owner unbinds it', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const owner = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(owner, { url: godwit.url, administrator: mei })
  const plan = join(computer, 'plan.txt')
  await writeFile(plan, 'for one device')
  const files = new FilesPage(owner)
  await files.choose([plan])
  await files.row('plan.txt').click()
  await files.toolbar.locator('[data-action=share]').click()
  await owner.getByLabel('Ask for a password').uncheck()
  await owner.getByText('More options').click()
  await owner.getByLabel('Only on the first device').check()
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  const address = (await owner.getByTestId('link-address').textContent()) ?? ''
  await owner.getByRole('button', { name: 'Done' }).click()

  const [phone, laptop] = [await guestOf(browser, 390), await guestOf(browser, 1400)]
  await phone.goto(address)
  await expect(phone.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
  // The key stays in the browser: it can sign and cannot be read.
  expect(await phone.evaluate(storedKeyLeaves)).toBe('InvalidAccessError')
  await laptop.goto(address)
  await expect(laptop.getByRole('heading', { name: 'This link is bound to another device' })).toBeVisible()
  await expectNoBarriers(laptop)
  await phone.reload()
  await expect(phone.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()

  await owner.locator('nav').getByRole('link', { name: 'Share links' }).click()
  await owner.getByRole('row').filter({ hasText: 'plan.txt' }).getByRole('button', { name: 'plan.txt' }).first().click()
  await owner.getByTestId('link-detail').getByRole('button', { name: 'Unbind' }).click()
  await expect(owner.getByTestId('link-detail').getByRole('button', { name: 'Unbind' })).toBeHidden()
  await laptop.reload()
  await expect(laptop.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'This link is bound to another device' })).toBeVisible()
})

/** Runs in the page. @returns what happens when somebody asks for the key that the page keeps */
async function storedKeyLeaves(): Promise<string> {
  const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('no database'))
    })
  const database = await settled(indexedDB.open('godwit-link-devices'))
  const keys = await settled(database.transaction('keys').objectStore('keys').getAll())
  database.close()
  const { privateKey } = keys[0] as CryptoKeyPair
  return crypto.subtle.exportKey('pkcs8', privateKey).then(
    () => 'it leaves',
    (error: unknown) => (error as DOMException).name,
  )
}
