import { connectScriptedClient, type Godwit } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { withSite } from './answers.ts'
import { expect, operate, signIn, startSession, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'
import { ShellPage } from './pages/shell.page.ts'

const test = withOwnServer()

/** Two more spaces of the administrator's, and the selector on. @returns their ids */
async function twoSpaces(godwit: Godwit): Promise<readonly [number, number]> {
  const known = await operator(godwit, 'space', 'list')
  for (const name of ['Laboratory', 'Archive']) if (!known.includes(name)) await operator(godwit, 'space', 'add', name)
  const list = await operator(godwit, 'space', 'list')
  const idOf = (name: string): number =>
    Number(/\d+/.exec(list.split('\n').find((line) => line.includes(name)) ?? '')?.[0])
  const ids = [idOf('Laboratory'), idOf('Archive')] as const
  for (const id of ids) {
    await operator(godwit, 'space', 'assign', '--space', String(id), '--account', godwit.administrator.account)
  }
  await operator(godwit, 'site', 'set', 'menu.space.switch', 'on')
  return ids
}

async function tokenOf(page: Page): Promise<string> {
  const session = await page.evaluate(() => localStorage.getItem('godwit.session'))
  return (JSON.parse(session ?? '{}') as { token: string }).token
}

async function pick(page: Page, name: string): Promise<void> {
  await new ShellPage(page).space.click()
  await page.getByRole('menuitem', { name }).click()
}

test('another space is shown from its root on, and is chosen again the next time', async ({ page, godwit }) => {
  const [laboratory] = await twoSpaces(godwit)
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await expect(shell.space).toHaveText('Default space')
  const files = new FilesPage(page)
  const folder = 'only in the default space'
  await operate(page, 'mkdir', { folder: '/', name: folder })
  await page.goto(`/personal?path=/${folder}`)
  await pick(page, 'Laboratory')
  await expect(page).toHaveURL(/\/personal$/)
  await expect(shell.space).toHaveText('Laboratory')
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await operate(page, 'mkdir', { folder: '/', name: 'in the laboratory', spaceId: laboratory })
  await expect(files.row('in the laboratory')).toBeVisible()
  await page.reload()
  await expect(shell.space).toHaveText('Laboratory')
  await pick(page, 'Default space')
  await expect(files.row(folder)).toBeVisible()
})

test('what is selected in one space is not selected in another one', async ({ page, godwit }) => {
  const [laboratory] = await twoSpaces(godwit)
  await signIn(page, godwit)
  const files = new FilesPage(page)
  for (const where of [{}, { spaceId: laboratory }])
    await operate(page, 'mkdir', { ...where, folder: '/', name: 'twin' })
  await files.row('twin').getByRole('gridcell').nth(2).click()
  await expect(page.getByTestId('selected')).toHaveText('1 selected')
  await pick(page, 'Laboratory')
  await expect(new ShellPage(page).space).toHaveText('Laboratory')
  await expect(files.row('twin')).toBeVisible()
  await expect(page.getByTestId('selected')).toHaveCount(0)
})

test('a space that the address asks for comes first; one that is not mine falls back to the current', async ({
  page,
  godwit,
}) => {
  const [, archive] = await twoSpaces(godwit)
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await page.goto(`/personal?space=${archive}`)
  await expect(shell.space).toHaveText('Archive')
  await page.evaluate(() => localStorage.removeItem('godwit.space'))
  await page.goto('/personal?space=4711')
  await expect(shell.space).toHaveText('Default space')
})

test('a path that does not exist in the space is reported, and the list starts at the root', async ({
  page,
  godwit,
}) => {
  await startSession(page, godwit)
  await page.goto('/personal?path=/never/made')
  await expect(page.getByRole('status').filter({ hasText: 'This path does not exist here' })).toBeVisible()
  await expect(page).toHaveURL(/\/personal$/)
})

test('a connected client changes first, under an overlay until it says so', async ({ page, godwit }) => {
  const [laboratory] = await twoSpaces(godwit)
  await operator(godwit, 'site', 'set', 'clientSpaceVersion', '2.0.0')
  await withSite(page, { clientPackages: ['deb'] })
  await signIn(page, godwit)
  await expect(new ShellPage(page).bar).toHaveAttribute('data-state', 'start')
  const client = await connectScriptedClient({ url: godwit.url, token: await tokenOf(page), version: '2.1.0' })
  const shell = new ShellPage(page)
  // The page knows the client once its bar no longer asks to start one.
  await expect(shell.bar).toBeHidden()
  const [release] = await held(page, '**/api/user/client/space')
  await pick(page, 'Laboratory')
  await expect(page.getByTestId('busy')).toContainText('Switching to “Laboratory”')
  await expect(shell.space).toHaveText('Default space')
  release()
  await expect(shell.space).toHaveText('Laboratory')
  await expect(page.getByTestId('busy')).toBeHidden()
  expect(client.commands).toContainEqual({ name: 'setSpace', spaceId: laboratory })
  client.obey('no')
  await pick(page, 'Archive')
  await expect(page.getByRole('alert')).toContainText('could not switch to “Archive”. Nothing was changed.')
  await expect(shell.space).toHaveText('Laboratory')
  await client.close()
})

test('an older client is asked to be updated, or works in the default space', async ({ page, godwit }) => {
  await twoSpaces(godwit)
  await operator(godwit, 'site', 'set', 'clientSpaceVersion', '2.0.0')
  await withSite(page, { clientPackages: ['deb'] })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await expect(shell.bar).toHaveAttribute('data-state', 'start')
  await pick(page, 'Laboratory')
  await expect(shell.space).toHaveText('Laboratory')
  const client = await connectScriptedClient({ url: godwit.url, token: await tokenOf(page), version: '1.5.0' })
  await expect(shell.bar).toBeHidden()
  await pick(page, 'Archive')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('you need transfer client 2.0.0 or later; version 1.5.0 is connected')
  await dialog.getByRole('button', { name: 'Switch to the default space' }).click()
  await expect(shell.space).toHaveText('Default space')
  await expect(dialog).toBeHidden()
  await pick(page, 'Archive')
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect.poll(() => client.commands.map(({ name }) => name)).toContain('upgrade')
  await expect(shell.space).toHaveText('Default space')
  await client.close()
})

/** Holds the answers of an address back. @returns what lets them go */
async function held(page: Page, address: string): Promise<readonly [() => void]> {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await gate
    await route.continue()
  })
  return [release]
}
