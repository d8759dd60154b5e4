import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, signIn, test } from './fixtures.ts'
import { addPerson, operator } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

/** What the keyboard of the computer does, by the browser's own events. */
async function pasteFile(page: Page, name: string): Promise<void> {
  await page.evaluate((fileName) => {
    const data = new DataTransfer()
    data.items.add(new File(['a picture of the screen'], fileName, { type: 'image/png' }))
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, name)
}

// One piece: each step goes on with the files of the one before, so that the walk signs in once.
test('cut, copy, paste and rename, within the files, into a group and from the computer', async ({
  page,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const name = `Team ${mei.account}`.slice(0, 32)
  const { id } = JSON.parse(await operator(godwit, 'group', 'add', name, '--quota', '5G', '--json')) as { id: number }
  const rights = ['--permission', 'list,upload,download,mkdir,rename,delete,move,copy']
  await operator(godwit, 'group', 'member', '--group', String(id), '--account', mei.account, ...rights)
  await signIn(page, { url: godwit.url, administrator: mei })
  await operate(page, 'mkdir', { folder: '/', name: 'done' })
  const files = new FilesPage(page)
  for (const file of ['one.txt', 'two.txt']) await writeFile(join(computer, file), file)
  await files.choose([join(computer, 'one.txt'), join(computer, 'two.txt')])
  await expect(files.row('two.txt')).toBeVisible()

  // Cut: the row waits, dimmed; the folder is opened and takes it.
  await files.row('one.txt').click()
  await page.keyboard.press('Control+x')
  await expect(files.row('one.txt')).toHaveAttribute('data-cut', 'true')
  await files.row('done').dblclick()
  await expect(files.toolbar.locator('[data-action=paste]')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(files.row('one.txt')).toBeVisible()
  await expect(files.toolbar.locator('[data-action=paste]')).toHaveCount(0)

  // Taken back with one key, cut again, and pasted in another tab: the first one knows.
  await page.getByText('“one.txt” moved').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('“one.txt” is back where it was').waitFor()
  await expect(files.row('one.txt')).toHaveCount(0)
  await page.goBack()
  await files.row('one.txt').click()
  await page.keyboard.press('Control+x')
  const other = new FilesPage(await page.context().newPage())
  await other.goto('/done')
  await expect(other.toolbar.locator('[data-action=paste]')).toBeVisible()
  await other.page.keyboard.press('Control+v')
  await expect(other.row('one.txt')).toBeVisible()
  await other.page.close()
  await expect(files.toolbar.locator('[data-action=paste]')).toHaveCount(0)
  await expect(files.row('one.txt')).toHaveCount(0)
  await files.row('done').dblclick()

  // One name, taken back by the message; Space looks into the file, Enter on a button presses the button.
  await files.row('one.txt').click()
  await page.keyboard.press('F2')
  await page.keyboard.type('eins')
  await page.keyboard.press('Enter')
  const renamed = page.getByRole('status').filter({ hasText: 'Renamed to “eins.txt”' })
  await renamed.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Renamed to “one.txt”').first().waitFor()
  await files.row('one.txt').click()
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog', { name: 'one.txt' })).toBeVisible()
  await page.keyboard.press('Escape')
  await files.toolbar.locator('[data-action=copy]').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Copy/ })).toBeVisible()
  await page.keyboard.press('Escape')

  // Beside the rows stands the menu of the folder.
  await files.grid.click({ button: 'right', position: { x: 400, y: 300 } })
  await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeVisible()
  await page.keyboard.press('Escape')

  // Copied and pasted: both are kept. The copy is taken back with one key, and made again.
  await files.row('one.txt').click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(files.row('one (1).txt')).toBeVisible()
  await page.getByText('“one.txt” copied', { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('The copy of “one.txt” is in the recycle bin').waitFor()
  await expect(files.row('one (1).txt')).toHaveCount(0)
  await page.keyboard.press('Control+v')
  await expect(files.row('one (1).txt')).toBeVisible()

  // A screenshot goes up into the folder that is open.
  await pasteFile(page, 'screen.png')
  await expect(files.row('screen.png')).toBeVisible()
  // One that has no name of its own is called by its time, so that the next one does not clash.
  await pasteFile(page, 'image.png')
  await expect(files.grid.getByText(/^Pasted image \d{4}-\d\d-\d\d/)).toBeVisible()

  // Several at once: shown before, with what is taken, and taken back with one key.
  await files.row('one.txt').click()
  await files.row('one (1).txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('F2')
  const batch = page.getByRole('dialog')
  await batch.getByLabel('What to do').selectOption('replace')
  await batch.getByLabel('Find', { exact: true }).fill('one')
  await batch.getByLabel('Replace with').fill('screen?')
  await expect(batch.getByText('2 names cannot be used')).toBeVisible()
  await expect(batch.getByRole('button', { name: 'Rename 0 items' })).toBeDisabled()
  await batch.getByLabel('Replace with').fill('uno')
  await expectNoBarriers(page)
  await batch.getByRole('button', { name: 'Rename 2 items' }).click()
  await expect(files.row('uno (1).txt')).toBeVisible()
  await page.getByText('2 items renamed').waitFor()
  await page.keyboard.press('Control+z')
  await expect(files.row('one (1).txt')).toBeVisible()

  // Packed and unpacked on the server, from the row menu.
  await files.row('one.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Pack as zip' }).click()
  await files.row('one.zip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Unpack here' }).click()
  await expect(files.row('one')).toBeVisible()

  // Into the library of the group: by paste, and by the dialog.
  await page.goto('/personal')
  await files.row('two.txt').click()
  await page.keyboard.press('Control+c')
  await page.getByRole('link', { name: 'Group files' }).click()
  await page.getByTestId('group').click()
  const paste = files.toolbar.locator('[data-action=paste]')
  await paste.click()
  await expect(files.row('two.txt')).toBeVisible()
  await page.keyboard.press('Control+z')
  await page.getByText('The copy of “two.txt” is in the recycle bin').waitFor()
  await expect(files.row('two.txt')).toHaveCount(0)
  await paste.click()
  await expect(files.row('two.txt')).toBeVisible()
  await page.goto('/personal')
  const dialog = page.getByRole('dialog')
  const openMove = async (): Promise<void> => {
    await files.row('done').click()
    await files.toolbar.locator('[data-action=move]').click()
    await dialog.getByLabel('Where').selectOption({ label: name })
  }
  const moveHere = dialog.getByRole('button', { name: 'Move here' })
  await openMove()
  await expectNoBarriers(page)
  await moveHere.click()
  await expect(files.row('done')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(files.row('done')).toBeVisible()
  await openMove()
  await moveHere.click()
  await expect(files.row('done')).toHaveCount(0)
  await page.goto(`/group/detail/${id}`)
  await expect(files.row('done')).toBeVisible()
  await files.row('done').dblclick()
  await expect(files.row('screen.png')).toBeVisible()
})

test('a menu and an edited name stay with their entry when others change the list meanwhile', async ({
  page,
  godwit,
}) => {
  const mei = await addPerson(godwit)
  await signIn(page, { url: godwit.url, administrator: mei })
  for (const name of ['beta', 'gamma']) await operate(page, 'mkdir', { folder: '/', name })
  const files = new FilesPage(page)
  await files.row('gamma').click({ button: 'right' })
  const remove = page.getByRole('menu').locator('[data-action=remove]')
  await expect(remove).toBeVisible()
  await operate(page, 'mkdir', { folder: '/', name: 'alpha' })
  await expect(files.row('alpha')).toBeVisible()
  await remove.click()
  await expect(page.getByRole('alertdialog')).toContainText('gamma')
  await operate(page, 'mkdir', { folder: '/', name: 'aleph' })
  // Behind a dialog a row has no role.
  await expect(page.locator('[data-row] [title=aleph]')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => files.names()).toEqual(['aleph', 'alpha', 'beta'])

  await files.row('beta').click()
  await page.keyboard.press('F2')
  const field = files.grid.getByRole('textbox')
  await expect(field).toBeFocused()
  await page.keyboard.type('plan')
  await operate(page, 'mkdir', { folder: '/', name: 'abacus' })
  await expect(files.row('abacus')).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.type(' B')
  await page.keyboard.press('Enter')
  await expect.poll(() => files.names()).toEqual(['abacus', 'aleph', 'alpha', 'plan B'])
  await page.reload()
  await expect.poll(() => files.names()).toEqual(['abacus', 'aleph', 'alpha', 'plan B'])
})

test('keys that are pressed before a menu is there leave the selection as it is', async ({ page, godwit }) => {
  const mei = await addPerson(godwit)
  const { promise: slow, resolve: arrive } = Promise.withResolvers<void>()
  await page.route('**/assets/menu-parts-*.js', async (route) => {
    await slow
    await route.continue()
  })
  await signIn(page, { url: godwit.url, administrator: mei })
  for (const name of ['alpha', 'beta', 'gamma']) await operate(page, 'mkdir', { folder: '/', name })
  const files = new FilesPage(page)
  await files.row('alpha').click()
  await files.row('beta').click({ modifiers: ['Control'] })
  await page.keyboard.press('Shift+F10')
  for (const key of ['ArrowDown', 'Enter', 'ArrowDown']) await page.keyboard.press(key)
  await expect(page.getByTestId('selected')).toHaveText('2 selected')
  await expect(page.getByRole('menu')).toHaveCount(0)
  arrive()
  await page.getByRole('menu').locator('[data-action=remove]').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => files.names()).toEqual(['gamma'])
})
