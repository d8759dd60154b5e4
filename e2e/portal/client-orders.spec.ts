import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectScriptedClient } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { withService, withSite, withUser } from './answers.ts'
import { expectNoBarriers } from './barriers.ts'
import { startDesktop } from './desktop-client.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

const test = withOwnServer()

async function tokenOf(page: Page): Promise<string> {
  const session = await page.evaluate(() => localStorage.getItem('godwit.session'))
  return (JSON.parse(session ?? '{}') as { token: string }).token
}

// One piece: each step goes on with the client of the one before.
test('the page hands uploads and downloads to the client, and says what became of them', async ({
  page,
  godwit,
  computer,
}) => {
  const home = join(godwit.data, 'files/users', godwit.administrator.account)
  await mkdir(join(home, 'films'), { recursive: true })
  for (const name of ['one.bin', 'two.bin', 'films/three.bin']) await writeFile(join(home, name), name)
  await withSite(page, { clientPackages: ['deb'] })
  await withUser(page, { clientPromptFiles: 2 })
  await withService(page, { TCPFileSizeLimit: 2 })
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  const action = (name: string) => files.toolbar.locator(`[data-action=${name}]`)
  const said = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

  // Nobody is there: the browser comes first, and the client is offered with what it takes to start it.
  await expect(action('upload-files')).toBeVisible()
  await files.toolbar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Upload files with the client' }).click()
  const start = page.getByRole('dialog', { name: 'Start the transfer client' })
  await expect(start.getByRole('listitem')).toHaveText([/Ubuntu/])
  const hello = { url: godwit.url, token: await tokenOf(page), deviceName: 'Ann’s tower' }
  const client = await connectScriptedClient({ ...hello, canAsk: true, outcome: 'asking' })
  await said('Choose the files in the window that the transfer client has opened on Ann’s tower.')
  await expect(start).toBeHidden()
  const upload = { name: 'upload', spaceId: 1, groupId: 0, folder: '/', pick: 'files' }
  expect(client.commands).toEqual([{ ...upload, paths: [] }])

  // Now it comes first, with the keys of the plain button.
  await expect(action('client-upload-files')).toHaveText('Upload')
  client.answer('queued')
  await page.keyboard.press('Alt+Shift+U')
  await said('The transfer client on Ann’s tower has taken the transfer.')
  expect(client.commands[1]).toEqual({ ...upload, pick: 'folder', paths: [] })
  await files.row('films').getByRole('gridcell').nth(2).click()
  await action('client-download').click()
  const download = { name: 'download', spaceId: 1, groupId: 0 }
  await expect.poll(() => client.commands[2]).toEqual({ ...download, paths: ['/films'] })
  client.answer('refused')
  await action('client-download').click()
  await expect(page.getByRole('alert')).toContainText('did not take the transfer')
  await page.getByRole('alert').getByRole('button').first().click()

  // Many files by the browser: asked first, and either answer is taken.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+A')
  const byBrowser = async () => {
    await files.toolbar.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: 'Download', exact: false }).filter({ hasText: 'In this browser' }).click()
  }
  await byBrowser()
  const suggestion = page.getByRole('alertdialog', { name: 'Download with the transfer client?' })
  await expect(suggestion).toContainText('These are 3 files.')
  await expectNoBarriers(page)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    suggestion.getByRole('button', { name: 'In the browser' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.zip$/)
  client.answer('queued')
  await byBrowser()
  await suggestion.getByRole('button', { name: 'With the client' }).click()
  const everything = { ...download, paths: ['/films', '/one.bin', '/two.bin'] }
  await expect.poll(() => client.commands.at(-1)).toEqual(everything)
  await page.keyboard.press('Escape')

  // A client that shows no windows is given a path, and says why it does not take one.
  await client.close()
  const headless = await connectScriptedClient({ ...hello, outcome: 'not-allowed' })
  await expect(action('upload-files')).toBeVisible()
  await files.toolbar.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'Upload files with the client' }).click()
  const path = page.getByRole('dialog', { name: 'Upload with the client' })
  await path.getByRole('textbox').fill('/home/ann/film.mov')
  await path.getByRole('button', { name: 'Upload' }).click()
  await expect(path).toContainText('On Ann’s tower, pages are not allowed to send from this path.')
  await expectNoBarriers(page)
  headless.answer('queued')
  await path.getByRole('button', { name: 'Upload' }).click()
  await expect(path).toBeHidden()
  expect(headless.commands.at(-1)).toEqual({ ...upload, paths: ['/home/ann/film.mov'] })
  await headless.close()

  // What is too large for the browser is offered to the client.
  const asking = await connectScriptedClient({ ...hello, canAsk: true, outcome: 'asking' })
  await expect(action('client-upload-files')).toBeVisible()
  await writeFile(join(computer, 'large.bin'), 'x'.repeat(2049))
  await files.toolbar.getByRole('button', { name: 'More' }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Upload files' }).filter({ hasText: 'In this browser' }).click(),
  ])
  await chooser.setFiles([join(computer, 'large.bin')])
  await page
    .getByRole('dialog', { name: '“large.bin” is too large' })
    .getByRole('button', { name: 'Send with the client' })
    .click()
  await expect.poll(() => asking.commands).toEqual([{ ...upload, paths: [] }])
  await asking.close()
})

/** Into the dialog for a client that shows no windows, which says why it is not taken. */
async function typePath(page: Page, path: string, refusal: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(path)
  await dialog.getByRole('button', { name: 'Sync' }).click()
  await expect(dialog).toContainText(refusal)
  await expectNoBarriers(page)
}

// One piece: each step goes on with the site and the client of the one before.
test('the page has the client keep folders in sync either way, where the site wants that', async ({ page, godwit }) => {
  const home = join(godwit.data, 'files/users', godwit.administrator.account)
  await mkdir(join(home, 'scans'), { recursive: true })
  await writeFile(join(home, 'a file'), 'a file')
  await withSite(page, { clientPackages: ['deb'] })
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  const sync = files.toolbar.getByRole('button', { name: 'Sync', exact: true })
  const choose = async (name: string): Promise<void> => {
    await sync.click()
    await page.getByRole('menuitem', { name }).click()
  }
  await expect(files.toolbar.locator('[data-action=new-folder]')).toBeVisible()
  await expect(sync).toHaveCount(0)
  await operator(godwit, 'settings', 'set', 'transSyncSwitch', '1')
  await operator(godwit, 'settings', 'set', 'transSyncTriggeringCondition', '1')
  await files.goto('/')

  const hello = { url: godwit.url, token: await tokenOf(page), deviceName: 'Ann’s tower' }
  const client = await connectScriptedClient({ ...hello, canAsk: true, outcome: 'asking' })
  await choose('Sync from a computer')
  await expect(page.getByRole('status').filter({ hasText: 'will come into this one' })).toBeVisible()
  const wanted = { name: 'sync', direction: 'upload', spaceId: 1, groupId: 0, restMs: 60_000 }
  const down = { ...wanted, direction: 'download' }
  expect(client.commands).toEqual([{ ...wanted, folder: '/', path: '' }])
  await choose('Sync to a computer')
  await expect(page.getByRole('status').filter({ hasText: 'in this one will come into it' })).toBeVisible()
  expect(client.commands.at(-1)).toEqual({ ...down, folder: '/', path: '' })
  await files.row('scans').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Sync from a computer' }).click()
  await expect.poll(() => client.commands.at(-1)).toEqual({ ...wanted, folder: '/scans', path: '' })
  await files.row('a file').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Move to' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Sync' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await client.close()

  const headless = await connectScriptedClient({ ...hello, outcome: 'not-found' })
  await choose('Sync from a computer')
  await typePath(page, '/home/ann/scans', 'There is nothing at this path on Ann’s tower.')
  headless.answer('queued')
  await page.getByRole('dialog').getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'comes into this one' })).toBeVisible()
  expect(headless.commands.at(-1)).toEqual({ ...wanted, folder: '/', path: '/home/ann/scans' })
  headless.answer('not-allowed')
  await choose('Sync to a computer')
  await typePath(page, '/home/ann', 'pages are allowed to write only into the folder for downloads')
  headless.answer('queued')
  await page.getByRole('dialog').getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Files that somebody changed there stay' })).toBeVisible()
  expect(headless.commands.at(-1)).toEqual({ ...down, folder: '/', path: '/home/ann' })
  await headless.close()

  // The site has another edition since.
  await withService(page, { syncSwitch: 0 })
  await files.goto('/')
  await choose('Sync to a computer')
  const missing = page.getByRole('dialog', { name: 'Sync to a computer' })
  await expect(missing.getByTestId('limit')).toContainText('Keeping folders in sync')
  await expectNoBarriers(page)
})

test('a real client uploads what was chosen in its window, and downloads what the page selected', async ({
  page,
  godwit,
  computer,
}) => {
  await writeFile(join(computer, 'film.mov'), Buffer.alloc(3 * 2 ** 20, 7))
  const { downloads, program } = await startDesktop(godwit, join(computer, 'client'), join(computer, 'film.mov'))
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  await files.toolbar.locator('[data-action=client-upload-files]').click()
  await files.row('film.mov').getByRole('gridcell').nth(2).click()
  await files.toolbar.locator('[data-action=client-download]').click()
  await expect
    .poll(async () => (await readFile(join(downloads, 'film.mov')).catch(() => Buffer.of())).length)
    .toBe(3 * 2 ** 20)
  await program.end('SIGTERM')
})
