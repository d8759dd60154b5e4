import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectScriptedClient } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { withService, withSite, withUser } from './answers.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'
import { ShellPage } from './pages/shell.page.ts'

const test = withOwnServer()

async function tokenOf(page: Page): Promise<string> {
  const session = await page.evaluate(() => localStorage.getItem('godwit.session'))
  return (JSON.parse(session ?? '{}') as { token: string }).token
}

test('the bar follows the client: start, starting, connected, update, too old', async ({ page, godwit }) => {
  for (const [name, value] of [
    ['clientMinVersion', '1.0.0'],
    ['clientUpgradeVersion', '2.0.0'],
  ] as const) {
    await operator(godwit, 'site', 'set', name, value)
  }
  await withSite(page, { clientPackages: ['deb'] })
  await signIn(page, godwit)
  const { bar } = new ShellPage(page)
  await expect(bar).toHaveAttribute('data-state', 'start')
  const hello = { url: godwit.url, token: await tokenOf(page) }
  const newest = await connectScriptedClient({ ...hello, version: '2.0.0', ready: false })
  await expect(bar).toHaveAttribute('data-state', 'starting')
  await newest.status(true)
  await expect(bar).toBeHidden()
  await newest.close()
  await expect(bar).toHaveAttribute('data-state', 'start')
  const older = await connectScriptedClient({ ...hello, version: '1.4.0' })
  await expect(bar).toContainText('Transfer client 2.0.0 is available. You have 1.4.0.')
  await bar.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The transfer client is updating.' })).toBeVisible()
  expect(older.commands).toContainEqual({ name: 'upgrade', version: '2.0.0', isAuto: false })
  // It did not come about: the person reads why, and what to do.
  await older.upgraded({ version: '2.0.0', reason: 'altered' })
  await expect(bar).toHaveAttribute('data-state', 'update-failed')
  await expect(bar).toContainText(
    'The transfer client was not updated to 2.0.0. The new version is not what its makers',
  )
  await expect(bar).toContainText('(Code 6216)')
  await expectNoBarriers(page)
  await bar.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => older.commands.length).toBe(2)
  await older.upgraded(null)
  await expect(bar).toHaveAttribute('data-state', 'update')
  await older.close()
  const old = await connectScriptedClient({ ...hello, version: '0.9.0' })
  await expect(bar).toContainText('older than 1.0.0')
  await old.close()
})

test('the start prompt offers the installers and closes when the client connects', async ({ page, godwit }) => {
  await withSite(page, { clientPackages: ['exe', 'deb', 'rpm', 'dmg'] })
  await signIn(page, godwit)
  const { bar } = new ShellPage(page)
  await bar.getByRole('button', { name: 'How to start it' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText([/Windows/, /Ubuntu/, /CentOS/, /Mac/])
  await dialog.getByRole('button', { name: 'Windows .exe' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  // Its address goes to the system in a frame: the page stays where it is, and says what else may be the matter.
  const open = dialog.getByRole('button', { name: 'Open the client' })
  await open.click()
  const frame = dialog.locator('iframe')
  await expect(frame).toHaveAttribute('src', `godwit://open?server=${encodeURIComponent(godwit.url)}`)
  await expect(dialog).toContainText('Opening the client.')
  await expect(dialog).toContainText('it may not be installed on this computer: download it below')
  await expectNoBarriers(page)
  await open.click()
  await expect(dialog).toContainText('Opening the client.')
  const client = await connectScriptedClient({ url: godwit.url, token: await tokenOf(page), version: '9.0.0' })
  await expect(dialog).toBeHidden()
  await client.close()
})

test('where the site opens no client by its address, the prompt says how to start it', async ({ page, godwit }) => {
  await withSite(page, { clientPackages: ['deb'], clientProtocolSwitch: 0 })
  await signIn(page, godwit)
  await new ShellPage(page).bar.getByRole('button', { name: 'How to start it' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Start it from the list of programs on this computer.')
  await expect(dialog.getByRole('button', { name: 'Open the client' })).toBeHidden()
})

test('an installer is saved from the start prompt, byte for byte', async ({ page, godwit }) => {
  const installer = Buffer.from('not really an installer, but all of it'.repeat(1000))
  await mkdir(join(godwit.data, 'clients'), { recursive: true })
  await writeFile(join(godwit.data, 'clients/godwit-client.deb'), installer)
  await signIn(page, godwit)
  await new ShellPage(page).bar.getByRole('button', { name: 'How to start it' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText([/Ubuntu/])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '.deb' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('godwit-client.deb')
  expect(await readFile(await saved.path())).toEqual(installer)
  await expect(page).toHaveURL(/\/personal/)
})

test('nobody is asked to start a client that the site does not offer', async ({ page, godwit }) => {
  const asked = page.waitForResponse('**/api/user/client')
  await withSite(page, { clientPackages: [] })
  await signIn(page, godwit)
  await asked
  await expect(new ShellPage(page).bar).toBeHidden()
})

test('where the browser alone transfers, nobody is asked to start a client', async ({ page, godwit }) => {
  await withUser(page, { transferType: 2 })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn(page, godwit)
  await expect(new ShellPage(page).bar).toBeHidden()
  expect(asked.filter((url) => url.includes('/api/user/client'))).toEqual([])
})

test('a lost file server is reported after a while, and forgotten when it is back', async ({ page, godwit }) => {
  let isOpen = true
  await page.routeWebSocket('**/ws/files', (socket) => {
    if (!isOpen) {
      void socket.close()
      return
    }
    const server = socket.connectToServer()
    closers.push(() => socket.close().then(() => server.close()))
  })
  const closers: Array<() => Promise<void>> = []
  await withSite(page, { clientPackages: [] })
  await signIn(page, godwit)
  const { bar } = new ShellPage(page)
  isOpen = false
  for (const close of closers) await close()
  await expect(bar).toHaveAttribute('data-state', 'disconnected')
  isOpen = true
  await expect(bar).toBeHidden()
})

test('the free edition says when three clients are online, and two are fine', async ({ page, godwit }) => {
  await withSite(page, { edition: 'free' })
  await withService(page, { client_online: 3 })
  await signIn(page, godwit)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Too many transfer clients')
  await expect(dialog).toContainText('fewer than 3 transfer clients at a time, and 3 are connected')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(dialog).toBeHidden()
  await withService(page, { client_online: 2 })
  await page.reload()
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect(dialog).toBeHidden()
  await withSite(page, { edition: 'enterprise' })
  await withService(page, { client_online: 300 })
  await page.reload()
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a file over the limit of the browser is named with the limit, and the others go', async ({
  page,
  godwit,
  computer,
}) => {
  await withService(page, { TCPFileSizeLimit: 2 })
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  await writeFile(join(computer, 'fits.bin'), 'x'.repeat(2048))
  await writeFile(join(computer, 'large.bin'), 'x'.repeat(2049))
  await files.choose([join(computer, 'fits.bin'), join(computer, 'large.bin')])
  const dialog = page.getByRole('dialog', { name: '“large.bin” is too large' })
  await expect(dialog).toContainText('files of up to 2.0 KB')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(files.uploads.summary).toHaveText('1 file uploaded')
  await expect(files.row('fits.bin')).toBeVisible()
  await expect(files.row('large.bin')).toBeHidden()
})

test('what the account ignores is shown as skipped and is not sent', async ({ page, godwit, computer }) => {
  const rules = {
    transIgnoreRegSwitch: 1,
    transIgnoreReg: '*.tmp;.DS_Store',
    transIgnoreSizeSwitch: 1,
    transIgnoreSize: 1,
  }
  await withUser(page, rules)
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  const names = ['kept.txt', 'scratch.tmp', 'huge.iso']
  await writeFile(join(computer, 'kept.txt'), 'kept')
  await writeFile(join(computer, 'scratch.tmp'), 'scratch')
  await writeFile(join(computer, 'huge.iso'), Buffer.alloc(1024 * 1024 + 1))
  await files.choose(names.map((name) => join(computer, name)))
  await expect(files.uploads.summary).toHaveText('1 file uploaded')
  const huge = files.uploads.rows.filter({ hasText: 'huge.iso' })
  await expect(huge).toHaveAttribute('data-state', 'skipped')
  await expect(huge).toContainText('Skipped by a rule')
  await expect(huge).toContainText('0 B')
  await expect(files.row('kept.txt')).toBeVisible()
  await expect(files.row('scratch.tmp')).toBeHidden()
  await expect(files.row('huge.iso')).toBeHidden()
})
