import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, launchGodwit, pngOf } from '@godwit/testkit'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { openView, type View } from '../barriers.ts'
import { expect, operate, test } from '../fixtures.ts'
import { addPerson, operator, type Person } from '../operator.ts'
import { type Hand, handOf, type Manner, signInBy, signOutBy } from './hand.ts'
import { wordsOf } from './words.ts'

/** Days of people, from the sign-in to the sign-out: once in `npm test`, in each language and manner in the matrix. */

const MIB = 1024 ** 2
const isMatrix = process.env['E2E_MATRIX'] === '1'
const LOCALES: ReadonlyArray<View['locale']> = isMatrix ? ['en-US', 'zh-CN'] : ['en-US']

/** Each journey is made in one manner each time the suite runs; the matrix makes it in all of them. */
function manners(usual: Manner): readonly Manner[] {
  return isMatrix ? ['mouse', 'keyboard', 'phone'] : [usual]
}

function views(usual: Manner): ReadonlyArray<{ readonly locale: View['locale']; readonly manner: Manner }> {
  return LOCALES.flatMap((locale) => manners(usual).map((manner) => ({ locale, manner })))
}

async function sit(browser: Browser, url: string, locale: View['locale'], manner: Manner): Promise<Hand> {
  const isPhone = manner === 'phone'
  const view = { locale, theme: 'light', width: isPhone ? 390 : 1400 } as const
  const context = await openView(browser, view, url, isPhone ? { hasTouch: true, isMobile: true } : {})
  return handOf(await watched(context), await wordsOf(locale), manner)
}

/** A page whose file choosers are caught from the start: a key may open one sooner than a test can ask for it. */
async function watched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.on('filechooser', () => undefined)
  return page
}

for (const { locale, manner } of views('keyboard')) {
  test(`a first day (${locale}, by ${manner})`, async ({ browser, godwit, computer }) => {
    const mei = await addPerson(godwit)
    const hand = await sit(browser, godwit.url, locale, manner)
    const { page, files, words, press } = hand
    await signInBy(hand, mei)

    // A folder of this computer.
    const folder = join(computer, 'Trip to 武夷山')
    await mkdir(join(folder, 'day 1'), { recursive: true })
    await writeFile(join(folder, 'tea.png'), pngOf(320, 200))
    await writeFile(join(folder, 'plan.md'), '# The way up\n\nBy bus, then on foot.')
    await writeFile(join(folder, 'costs.csv'), 'what,how much\nbus,38\ntea,120\n')
    await writeFile(join(folder, 'day 1/notes.txt'), 'Rain until noon.')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.here('upload-folder')])
    await chooser.setFiles(folder)
    await hand.open('Trip to 武夷山')
    await expect(files.row('costs.csv')).toBeVisible()

    // Three kinds of file.
    for (const [name, seen] of [
      ['plan.md', 'The way up'],
      ['costs.csv', 'how much'],
      ['tea.png', undefined],
    ] as const) {
      await hand.open(name)
      const dialog = page.getByRole('dialog', { name })
      await expect(seen === undefined ? dialog.locator('img') : dialog.getByText(seen)).toBeVisible()
      if (manner === 'keyboard') await page.keyboard.press('Escape')
      else await press(dialog.getByRole('button', { name: words('preview.close') }))
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }

    await hand.act('rename', 'costs.csv')
    await expect(files.grid.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('receipts')
    await page.keyboard.press('Enter')
    await expect(files.row('receipts.csv')).toBeVisible()

    await hand.sortBySize()
    await expect.poll(() => files.names()).toEqual(['day 1', 'receipts.csv', 'plan.md', 'tea.png'])

    await hand.here('find')
    const find = page.getByRole('dialog')
    await expect(find.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('notes')
    await expect(find.getByRole('listitem')).toHaveCount(1)
    await expect(find.getByRole('listitem')).toContainText('day 1')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      hand.act('download', 'plan.md', 'receipts.csv'),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
    // The signature of a zip archive.
    expect((await readFile(await download.path())).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    await signOutBy(hand)
    await page.context().close()
  })
}

for (const { locale, manner } of views('mouse')) {
  test(`tidying up (${locale}, by ${manner})`, async ({ browser, godwit, computer }) => {
    const mei = await addPerson(godwit)
    const hand = await sit(browser, godwit.url, locale, manner)
    const { page, files, words, press } = hand
    await signInBy(hand, mei)
    for (const name of ['draft.txt', 'final.txt', 'old.txt']) await writeFile(join(computer, name), name)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.here('upload-files')])
    await chooser.setFiles(['draft.txt', 'final.txt', 'old.txt'].map((name) => join(computer, name)))
    await expect(files.row('old.txt')).toBeVisible()

    for (const name of ['2025', '2026']) {
      await hand.here('new-folder')
      const field = page.getByRole('dialog').getByRole('textbox')
      await expect(field).toBeFocused()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await expect(files.row(name)).toBeVisible()
    }

    // The quick way, and the dialog.
    await hand.moveInto('2025', 'old.txt')
    await expect(files.row('old.txt')).toHaveCount(0)
    await hand.act('copy', 'final.txt')
    const target = page.getByRole('dialog')
    await chooseFolder(hand, '2026')
    await press(target.getByRole('button', { name: words('copy.submit') }))
    await expect(page.getByRole('status').filter({ hasText: '“final.txt”' })).toBeVisible()

    // The same name again: both are kept.
    await hand.act('copy', 'final.txt')
    await chooseFolder(hand, '2026')
    await press(target.getByRole('button', { name: words('copy.submit') }))
    await press(page.getByRole('dialog').getByRole('button', { name: words('conflict.keep-both') }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await hand.open('2026')
    await expect(files.row('final (1).txt')).toBeVisible()

    // Deleted, taken back, deleted again and restored from the bin.
    await hand.act('remove', 'final (1).txt')
    await press(page.getByRole('alertdialog').getByRole('button', { name: words('remove.submit') }))
    await expect(files.row('final (1).txt')).toHaveCount(0)
    // The message of an earlier step may still be there, with an undo of its own.
    const removed = page.getByRole('status').filter({ hasText: 'final (1).txt' })
    await press(removed.getByRole('button', { name: words('action.undo') }))
    await expect(files.row('final (1).txt')).toBeVisible()
    await hand.act('remove', 'final (1).txt')
    await press(page.getByRole('alertdialog').getByRole('button', { name: words('remove.submit') }))
    await expect(files.row('final (1).txt')).toHaveCount(0)
    await hand.here('recycle-bin')
    const bin = page.getByTestId('recycle')
    await hand.check(bin.getByRole('row').filter({ hasText: 'final (1).txt' }).getByRole('checkbox'))
    await press(bin.getByRole('button', { name: words('recycle.restore'), exact: true }))
    await expect(bin.getByRole('row').filter({ hasText: 'final (1).txt' })).toHaveCount(0)
    await page.goBack()
    await expect(files.row('final (1).txt')).toBeVisible()
    await signOutBy(hand)
    await page.context().close()
  })
}

async function chooseFolder({ page, manner }: Hand, name: string): Promise<void> {
  const item = page.getByRole('dialog').getByRole('treeitem', { name })
  await item.waitFor()
  if (manner === 'phone') return item.tap()
  if (manner === 'mouse') return item.click()
  const isFocused = (): Promise<boolean> => item.evaluate((element) => element === document.activeElement)
  const tree = page.getByRole('dialog').getByRole('tree')
  const isInTree = (): Promise<boolean> => tree.evaluate((element) => element.contains(document.activeElement))
  for (let steps = 0; steps < 20 && !(await isInTree()); steps++) await page.keyboard.press('Tab')
  await page.keyboard.press('Home')
  for (let steps = 0; steps < 20 && !(await isFocused()); steps++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

for (const { locale, manner } of views('phone')) {
  test(`a bad line (${locale}, by ${manner})`, async ({ browser, computer }) => {
    const port = await freePort()
    const first = await launchGodwit({ port })
    const mei = await addPerson(first)
    const film = join(computer, 'film.bin')
    await writeFile(film, Buffer.alloc(48 * MIB, 'frame'))
    const hand = await sit(browser, first.url, locale, manner)
    const context = hand.page.context()
    await signInBy(hand, mei)
    const choose = async ({ page, here }: Hand): Promise<void> => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), here('upload-files')])
      await chooser.setFiles(film)
    }
    // The last parts are never answered, so that the line dies in the middle however quick the machine is.
    await hand.page.route('**/parts/*', async (route) => {
      if (Number(new URL(route.request().url()).pathname.split('/').at(-1)) < 24 * MIB) await route.continue()
    })
    await choose(hand)
    await expect.poll(() => hand.page.title()).toMatch(/^[4-7]\d%/)
    await context.setOffline(true)
    await expect(hand.page.getByText(hand.words('app.offline'))).toBeVisible()
    await hand.page.close({ runBeforeUnload: false })

    // The machine of the server starts again, and the line is back.
    await first.end('SIGKILL')
    const second = await launchGodwit({ port, data: first.data })
    try {
      await context.setOffline(false)
      const page = await watched(context)
      let sent = 0
      page.on('request', (request) => {
        if (request.url().includes('/parts/')) sent += Number(request.headers()['content-length'] ?? 0)
      })
      const again = handOf(page, hand.words, manner)
      await page.goto('/personal')
      await again.files.toolbar.locator('[data-action=new-folder]').waitFor()
      await choose(again)
      await expect(again.files.row('film.bin')).toBeVisible()
      await expect(page.getByTestId('transfers').or(again.files.uploads.summary).first()).toBeVisible()
      // What had arrived is not sent again.
      expect(sent).toBeLessThan(40 * MIB)
      expect(await hashOf(join(first.data, 'files/users', mei.account, 'film.bin'))).toBe(await hashOf(film))
      await signOutBy(again)
    } finally {
      await context.close()
      await second.stop()
      await first.stop()
    }
  })
}

for (const { locale, manner } of views('mouse')) {
  test(`a team folder with three people of different rights (${locale}, by ${manner})`, async ({
    browser,
    godwit,
    computer,
  }) => {
    const [lead, sender, reader] = [await addPerson(godwit), await addPerson(godwit), await addPerson(godwit)]
    const id = await addTeam(godwit, [
      [lead, 'all'],
      [sender, 'list,upload'],
      [reader, 'list,download'],
    ])
    const hands: Hand[] = []
    for (const person of [lead, sender, reader]) {
      const hand = await sit(browser, godwit.url, locale, manner)
      await signInBy(hand, person)
      await hand.page.goto(`/group/detail/${id}`)
      await hand.files.toolbar.waitFor()
      hands.push(hand)
    }
    const [own, sending, reading] = hands as [Hand, Hand, Hand]
    await writeFile(join(computer, 'drawing.txt'), 'version 1')
    const [chooser] = await Promise.all([sending.page.waitForEvent('filechooser'), sending.here('upload-files')])
    await chooser.setFiles(join(computer, 'drawing.txt'))

    // All three see it without doing anything.
    for (const { files } of hands) await expect(files.row('drawing.txt')).toBeVisible()
    const [download] = await Promise.all([
      reading.page.waitForEvent('download'),
      reading.act('download', 'drawing.txt'),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe('version 1')
    await expectNoAction(reading, 'drawing.txt', 'remove')
    await expectNoAction(sending, 'drawing.txt', 'download')
    // What the page does not offer the server refuses.
    await expect(operate(reading.page, 'remove', { paths: ['/drawing.txt'], groupId: id })).rejects.toThrow('1008')
    await expect(
      operate(sending.page, 'rename', { path: '/', oldName: 'drawing.txt', newName: 'mine.txt', groupId: id }),
    ).rejects.toThrow('1008')

    await own.act('rename', 'drawing.txt')
    await expect(own.files.grid.getByRole('textbox')).toBeFocused()
    await own.page.keyboard.type('drawing A')
    await own.page.keyboard.press('Enter')
    for (const { files } of hands) await expect(files.row('drawing A.txt')).toBeVisible()
    await own.act('remove', 'drawing A.txt')
    await own.press(own.page.getByRole('alertdialog').getByRole('button', { name: own.words('remove.submit') }))
    for (const { files } of hands) await expect(files.row('drawing A.txt')).toHaveCount(0)
    for (const hand of hands) {
      await signOutBy(hand)
      await hand.page.context().close()
    }
  })
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

async function addTeam(
  godwit: Parameters<typeof operator>[0],
  members: ReadonlyArray<readonly [Person, string]>,
): Promise<number> {
  const name = `Team ${members[0]?.[0].account}`.slice(0, 32)
  const { id } = JSON.parse(await operator(godwit, 'group', 'add', name, '--quota', '5G', '--json')) as { id: number }
  for (const [{ account }, rights] of members) {
    const flags = rights === 'all' ? [] : ['--permission', rights]
    await operator(godwit, 'group', 'member', '--group', String(id), '--account', account, ...flags)
  }
  return id
}

async function expectNoAction({ page, files }: Hand, name: string, action: string): Promise<void> {
  await files.row(name).locator('button[data-menu]').click()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  await expect(menu.locator(`[data-action=${action}]`)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
}
