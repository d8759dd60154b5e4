import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, operate, test } from './fixtures.ts'

test('everything by keyboard: make, rename, open, go back, delete, undo', async ({ files, page }) => {
  await page.keyboard.press('Alt+n')
  // The default name is selected, so typing replaces it.
  await expect(page.getByLabel('Folder name')).toBeFocused()
  await page.keyboard.type('reports')
  await page.keyboard.press('Enter')
  await expect(files.row('reports')).toBeVisible()
  await files.grid.focus()
  await page.keyboard.press('ArrowDown')
  await expect(files.row('reports')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('F2')
  await page.keyboard.type('papers')
  await page.keyboard.press('Enter')
  await expect(files.row('papers')).toBeVisible()
  await expect(files.grid).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/papers/)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(files.row('papers')).toBeVisible()
  await files.grid.focus()
  await page.keyboard.press('p')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog')).toContainText('Delete “papers”?')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(files.row('papers')).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'moved to the recycle bin' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(files.row('papers')).toBeVisible()
})

test('a name that is taken or forbidden is refused in place, the same name costs no call', async ({ files, page }) => {
  for (const name of ['a', 'b']) await operate(page, 'mkdir', { folder: files.folder, name })
  await expect(files.row('b')).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await files.row('a').getByRole('gridcell').nth(2).click()
  await page.keyboard.press('F2')
  const field = page.getByLabel('New name for a')
  await field.fill('b')
  await expect(page.getByText('This name is already taken in this folder.')).toBeVisible()
  await field.fill('a/b')
  await expect(page.getByText('The name must not contain')).toBeVisible()
  await field.fill('')
  await field.pressSequentially('x'.repeat(260))
  await expect(page.getByText('The name is too long')).toBeVisible()
  await field.fill('a')
  await page.keyboard.press('Enter')
  await expect(field).toBeHidden()
  expect(calls.filter((url) => url.includes('rename'))).toEqual([])
})

test('the row menu is the same by right click, by key and by its button', async ({ files, page }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'one' })
  const row = files.row('one')
  await row.getByRole('gridcell').nth(2).click()
  const items = async (): Promise<readonly string[]> => {
    const menu = page.getByRole('menu')
    await expect(menu).toBeVisible()
    const ids = await menu.getByRole('menuitem').evaluateAll((all) => all.map((item) => item.dataset['action'] ?? ''))
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    return ids
  }
  await row.click({ button: 'right' })
  const byMouse = await items()
  await files.grid.focus()
  await page.keyboard.press('Shift+F10')
  expect(await items()).toEqual(byMouse)
  await row.getByRole('button', { name: 'Actions for one' }).click()
  expect(await items()).toEqual(byMouse)
  expect(byMouse).toEqual([
    ...['open', 'download', 'share', 'invite', 'rename', 'cut', 'clip', 'move', 'copy', 'pack'],
    ...['attributes', 'details', 'favorite', 'remove'],
  ])
  await operate(page, 'mkdir', { folder: files.folder, name: 'two' })
  await files.row('two').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(files.row('two')).toBeHidden()
  await expect(page.getByTestId('selected')).toHaveText('1 selected')
  await expect(row).toHaveAttribute('aria-selected', 'true')
})

test('the address names the folder; back and reload come to the same place', async ({ files, page }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'inner' })
  await files.row('inner').getByRole('link').click()
  await expect(page).toHaveURL(/inner/)
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Folder path' })).toContainText('inner')
  await page.goBack()
  await expect(files.row('inner')).toBeVisible()
})

test('a long folder is where it was left, after a breadcrumb, back and a full load', async ({ files, page }) => {
  for (let at = 10; at < 60; at++) await operate(page, 'mkdir', { folder: files.folder, name: `folder ${at}` })
  await expect(files.grid).toHaveAttribute('aria-rowcount', '51')
  await files.grid.focus()
  await page.keyboard.press('End')
  const top = await files.grid.evaluate(({ scrollTop }) => scrollTop)
  expect(top).toBeGreaterThan(1_000)
  const isThere = () => expect.poll(() => files.grid.evaluate(({ scrollTop }) => scrollTop)).toBe(top)
  await files.row('folder 59').getByRole('link').click()
  await expect(page).toHaveURL(/folder\+59|folder%2059/)
  await page
    .getByRole('navigation', { name: 'Folder path' })
    .getByRole('link', { name: files.folder.slice(1) })
    .click()
  await isThere()
  await page.reload()
  await isThere()
  await files.row('folder 59').getByRole('link').click()
  await page.goBack()
  await isThere()
})

test('each folder keeps the order that was chosen for it, also after a full load', async ({ files, page }) => {
  for (const name of ['a', 'b']) await operate(page, 'mkdir', { folder: files.folder, name })
  await expect(files.grid).toHaveAttribute('aria-rowcount', '3')
  await files.grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => files.names()).toEqual(['b', 'a'])
  await operate(page, 'mkdir', { folder: `${files.folder}/a`, name: 'inner' })
  await files.row('a').getByRole('link').click()
  await expect(files.row('inner')).toBeVisible()
  await expect(page).not.toHaveURL(/order=/)
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => files.names()).toEqual(['b', 'a'])
  await files.goto(files.folder)
  await expect.poll(() => files.names()).toEqual(['b', 'a'])
  await files.grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => files.names()).toEqual(['a', 'b'])
})

test('a folder seen before is painted at once, however slow the server, and of another one no number is shown', async ({
  files,
  page,
}) => {
  for (const name of ['inner', 'unseen']) await operate(page, 'mkdir', { folder: files.folder, name })
  await files.row('inner').getByRole('link').click()
  await expect(page).toHaveURL(/inner/)
  // From here on the server never answers.
  await page.route('**/api/files/**', () => undefined)
  await page.routeWebSocket('**/ws/files', () => undefined)
  await page.goBack()
  await expect(files.row('inner')).toBeVisible()
  await expect(page.getByTestId('count')).toHaveText('2 items')
  await files.goto(`${files.folder}/unseen`)
  await expect(page.getByTestId('skeleton')).toBeVisible()
  await expect(page.getByTestId('count')).toHaveCount(0)
})

test('what was opened in a folder is closed in another one, and does nothing there', async ({ files, page }) => {
  const { folder } = files
  // The same names in both folders: nothing tells the reader of a dialog which of them it means.
  for (const name of ['a', 'plan', 'report']) await operate(page, 'mkdir', { folder, name })
  for (const name of ['plan', 'report']) await operate(page, 'mkdir', { folder: `${folder}/a`, name })
  await files.row('a').getByRole('link').click()
  await expect(page).toHaveURL(/a$/)
  const shown = page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .or(page.getByRole('menu'))
    .or(files.grid.getByRole('textbox'))
  const opened = async (open: () => Promise<void>): Promise<void> => {
    await expect.poll(() => files.names()).toEqual(['plan', 'report'])
    await files.row('report').getByRole('gridcell').nth(2).click()
    await open()
    await expect(shown).toBeVisible()
    await page.goBack()
    await expect.poll(() => files.names()).toEqual(['a', 'plan', 'report'])
    await expect(shown).toHaveCount(0)
    await expect(page.getByTestId('selected')).toHaveCount(0)
    await page.goForward()
    await expect.poll(() => files.names()).toEqual(['plan', 'report'])
    await expect(shown).toHaveCount(0)
  }
  for (const key of ['Delete', 'Alt+n', 'Alt+m', 'F2', 'Shift+F10', '/']) await opened(() => page.keyboard.press(key))
  await opened(() => files.toolbar.locator('[data-action=copy]').click())
  await opened(async () => {
    await files.row('plan').click({ modifiers: ['Control'] })
    await page.keyboard.press('F2')
  })
  await opened(async () => {
    await page.keyboard.press('F2')
    await page.keyboard.type('never taken')
  })
  // The keyboard is in the list again.
  await files.row('report').getByRole('gridcell').nth(2).click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.goBack()
  await expect(files.grid).toBeFocused()
  expect(await files.names()).toEqual(['a', 'plan', 'report'])
})

test('a folder that is slow to be made closes no dialog of another folder', async ({ files, page }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'a' })
  const answered = Promise.withResolvers<void>()
  await page.routeWebSocket('**/ws/files', (socket) => socket.close())
  await page.route('**/api/files/mkdir', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.reload()
  await files.row('a').getByRole('link').click()
  await expect(page).toHaveURL(/a$/)
  await page.keyboard.press('Alt+n')
  const field = page.getByLabel('Folder name')
  await expect(field).toBeFocused()
  await page.keyboard.type('slow')
  const made = page.waitForResponse('**/api/files/mkdir')
  await page.keyboard.press('Enter')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(files.row('a')).toBeVisible()
  await page.keyboard.press('Alt+n')
  await expect(field).toBeFocused()
  answered.resolve()
  await made
  await page.getByText('Folder “slow” created').waitFor()
  await expect(field).toBeFocused()
})

test('a double click on a name opens it and nothing in it', async ({ files, page }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'outer' })
  await operate(page, 'mkdir', { folder: `${files.folder}/outer`, name: 'inner' })
  const box = await files.row('outer').getByRole('link').boundingBox()
  if (box === null) throw new Error('the name is not drawn')
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.down()
  await page.mouse.up()
  await expect(files.row('inner')).toBeVisible()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  // Time enough for it to open.
  await operate(page, 'mkdir', { folder: `${files.folder}/outer`, name: 'later' })
  await expect(files.row('later')).toBeVisible()
  await expect(page).toHaveURL(/outer$/)
})

test('a refused rename comes back with a message', async ({ files, page }) => {
  await page.routeWebSocket('**/ws/files', (socket) => socket.close())
  await page.reload()
  await operate(page, 'mkdir', { folder: files.folder, name: 'stays' })
  await page.reload()
  await page.route('**/api/files/rename', (route) =>
    route.fulfill({ status: 400, json: { code: 1008, message: 'You do not have permission for this.' } }),
  )
  await files.row('stays').getByRole('gridcell').nth(2).click()
  await page.keyboard.press('F2')
  await page.keyboard.type('goes')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('You do not have permission')
  await expect(page.getByRole('alert')).toContainText('Code 1008')
  await expect(files.row('stays')).toBeVisible()
})

test('move to, by menu and by mouse, asks about taken names', async ({ files, page }) => {
  // More folders above the open one than the tree of the dialog can show at once.
  for (let at = 10; at < 30; at++) await operate(page, 'mkdir', { folder: files.folder, name: `above ${at}` })
  await operate(page, 'mkdir', { folder: files.folder, name: 'below' })
  await files.goto(`${files.folder}/below`)
  for (const name of ['box', 'thing', 'other']) await operate(page, 'mkdir', { folder: files.folder, name })
  // No row moves any more under the pointer.
  await expect(files.grid).toHaveAttribute('aria-rowcount', '4')
  await files.row('thing').getByRole('gridcell').nth(2).click()
  await page.keyboard.press('Alt+m')
  const tree = page.getByRole('tree', { name: 'Folders' })
  await expect(tree.getByRole('treeitem', { name: 'thing' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('searchbox', { name: 'Find a folder' }).fill('BO')
  await expect(tree.getByRole('treeitem', { name: 'thing' })).toHaveCount(0)
  await tree.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(tree.getByRole('treeitem', { name: 'box' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('dialog').getByRole('button', { name: 'New folder' }).click()
  await expect(page.getByLabel('Folder name')).toBeFocused()
  await page.keyboard.type('inner')
  await page.keyboard.press('Enter')
  await expect(tree.getByRole('treeitem', { name: 'inner' })).toHaveAttribute('aria-selected', 'true')
  await tree.getByRole('treeitem', { name: 'box' }).click()
  await page.getByRole('button', { name: 'Move here' }).click()
  await expect(files.row('thing')).toBeHidden()
  await files.row('other').locator('[draggable]').dragTo(files.row('box').getByRole('gridcell').nth(2))
  await expect(files.row('other')).toBeHidden()
  await operate(page, 'mkdir', { folder: files.folder, name: 'thing' })
  await files.row('thing').locator('[draggable]').dragTo(files.row('box').getByRole('gridcell').nth(2))
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect(files.row('thing')).toBeHidden()
  await files.row('box').getByRole('link').click()
  await expect(files.row('thing (1)')).toBeVisible()
})

test('the sheet of shortcuts opens with ? and lists every registered key', async ({ files, page }) => {
  await files.grid.or(files.toolbar).first().waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByTestId('shortcuts')
  await expect(sheet).toBeVisible()
  for (const label of ['Rename', 'Delete', 'Select all', 'Undo', 'Upload files', 'Pause all']) {
    await expect(sheet.getByText(label, { exact: true })).toBeVisible()
  }
  await expect(sheet.getByText('Jump to a name that starts with these letters')).toBeVisible()
  await expect(page.getByRole('dialog').getByText(/^Godwit \d+\.\d+\.\d+/)).toBeVisible()
})

test('the path of the folder is copied, also where the page has no clipboard of its own', async ({ files, page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.reload()
  await page.getByRole('button', { name: 'Copy the path' }).click()
  await expect(page.getByText('Path copied')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByRole('searchbox')).toHaveValue(files.folder)
})

test('each message stays for its own three seconds, in which the page is seen', async ({ files, page }) => {
  await page.clock.install()
  await page.reload()
  const message = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text)
  await page.getByRole('button', { name: 'Copy the path' }).click()
  await expect(message('Path copied')).toBeVisible()
  await page.clock.runFor(2_000)
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('textbox', { name: 'Folder name' }).fill('inlet')
  await page.keyboard.press('Enter')
  await expect(message('Folder “inlet” created')).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(message('Path copied')).toBeHidden()
  await expect(message('Folder “inlet” created')).toBeVisible()
  await expect(files.row('inlet')).toBeVisible()
  const hide = (isHidden: boolean): Promise<void> =>
    page.evaluate(
      (hidden) => void Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }),
      isHidden,
    )
  await hide(true)
  await page.clock.runFor(60_000)
  await expect(message('Folder “inlet” created')).toBeVisible()
  await hide(false)
  await page.clock.runFor(1_500)
  await expect(message('Folder “inlet” created')).toBeHidden()
})

test('dragging over empty space selects rows, Ctrl adds', async ({ files, page }) => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await operate(page, 'mkdir', { folder: files.folder, name })
  await expect(files.row('f')).toBeVisible()
  const first = await files.row('a').boundingBox()
  const fifth = await files.row('e').boundingBox()
  if (first === null || fifth === null) throw new Error('rows are not shown')
  await page.mouse.move(first.x + 400, first.y + 10)
  await page.mouse.down()
  await page.mouse.move(fifth.x + 600, fifth.y + 20, { steps: 8 })
  await page.mouse.up()
  await expect(page.getByTestId('selected')).toHaveText('5 selected')
})

test('long work on the server shows how far it is, and ends where it stands when it is canceled', async ({
  files,
  page,
  godwit,
}) => {
  const home = join(godwit.data, 'files/users/admin', files.folder)
  const [folders, each] = [20, 500]
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(join(home, `tree/${folder}`), { recursive: true })
    for (let at = 0; at < each; at++) writeFileSync(join(home, `tree/${folder}/${at}`), `${at}`)
  }
  await page.reload()
  await expect(files.row('tree').getByRole('gridcell', { name: /^\d{4}-/ })).toHaveAttribute('title', / UTC$/)
  await files.row('tree').click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  const strip = page.getByRole('group', { name: 'Copying' })
  const bar = strip.getByRole('progressbar', { name: 'Copying' })
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  await expect(strip).toContainText('tree')
  await expect(strip).toContainText(/[1-9]\d* of 10000/)
  await strip.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Canceled. What was already done is kept.')).toBeVisible()
  await expect(strip).toHaveCount(0)
  expect(readdirSync(home)).toEqual(['tree'])
  await expect(files.grid.locator('[data-row]')).toHaveCount(1)
})
