import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Godwit, pdfOf, pngOf, wavOf } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, test } from './fixtures.ts'
import { documentOf, workbookOf, zipOf } from './office-files.ts'
import type { FilesPage } from './pages/files.page.ts'

type Content = Readonly<Record<string, string | Buffer>>

/** Opens a folder of files that were there before the page looked. */
async function openFolder(godwit: Godwit, files: FilesPage, content: Content): Promise<void> {
  const folder = `${files.folder}/box`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(join(home, 'inner'), { recursive: true })
  for (const [name, bytes] of Object.entries(content)) writeFileSync(join(home, name), bytes)
  await files.goto(folder)
}

async function expectOpen(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('view')).toBe(name)
}

test('a file opens by double click, by Enter and from the menu; Escape, back and the button close it', async ({
  files,
  page,
  godwit,
}) => {
  await openFolder(godwit, files, { 'a.txt': 'the first line\n', 'b.txt': 'another file\n' })
  const row = files.row('a.txt')
  await row.getByRole('gridcell').nth(2).dblclick()
  await expectOpen(page, 'a.txt')
  await expect(page.getByText('the first line')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).not.toHaveURL(/view=/)
  await expect(files.grid).toBeFocused()

  await page.keyboard.press('Enter')
  await expectOpen(page, 'a.txt')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await row.click({ button: 'right' })
  await page.getByRole('menu').locator('[data-action=open]').click()
  await expectOpen(page, 'a.txt')
  await page.getByRole('button', { name: 'Close the preview' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(files.row('b.txt')).toBeVisible()

  // Left with the file open.
  await files.row('a.txt').getByRole('gridcell').nth(2).dblclick()
  await expect(page.getByText('the first line')).toBeVisible()

  // Each look is in the log of the console, and over.
  await page.goto(`/admin/log/previews?text=${files.folder.slice(1)}`)
  const looks = page.getByRole('main').getByRole('row').filter({ hasText: 'a.txt' })
  await expect(looks).toHaveCount(4)
  await expect(looks.filter({ hasText: 'Open now' })).toHaveCount(0)
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoBarriers(page)
})

test('on a phone a tap opens a file', async ({ files, page, godwit }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openFolder(godwit, files, { 'note.txt': 'seen on a phone\n' })
  for (let round = 0; round < 2; round++) {
    await files.row('note.txt').getByRole('gridcell').nth(1).click()
    await expectOpen(page, 'note.txt')
    await expect(page.getByText('seen on a phone')).toBeVisible()
    await page.getByRole('button', { name: 'Close the preview' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('arrow keys go through the files of the folder, back leads to the list at once', async ({
  files,
  page,
  godwit,
}) => {
  await openFolder(godwit, files, { 'a.txt': 'one', 'b.md': '# Heading two', 'c.csv': 'name,sum\nthree,=1+1\n' })
  await files.row('a.txt').getByRole('gridcell').nth(2).dblclick()
  await expect(page.getByText('one', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Heading two' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('cell', { name: '=1+1' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next file' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('ArrowLeft')
  await expectOpen(page, 'b.md')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Heading two' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(files.row('b.md')).toHaveAttribute('aria-selected', 'true')
})

test('pictures, sound and documents are drawn; what has no view says so and can be downloaded', async ({
  files,
  page,
  godwit,
}) => {
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await openFolder(godwit, files, {
    'a.png': pngOf(320, 200),
    'b.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><style>rect{fill:red}</style><rect width="90" height="60"/></svg>',
    'c.wav': wavOf(2),
    'd.pdf': pdfOf('A page of text'),
    'e.bin': Buffer.from([0x4d, 0x5a, 0, 1, 2, 3]),
  })
  await files.row('a.png').getByRole('gridcell').nth(2).dblclick()
  const width = (): Promise<number> =>
    page.getByRole('img', { name: 'a.png' }).evaluate((img: HTMLImageElement) => img.naturalWidth)
  await expect.poll(width).toBe(320)
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => page.getByRole('img', { name: 'b.svg' }).evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(90)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(2, 1)
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await expect(page.getByText('A page of text')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'No preview for this file' })).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('region').getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('e.bin')
  expect(refused).toEqual([])
})

test('a long text is fetched as far as it is read, in its own encoding', async ({ files, page, godwit }) => {
  const line = Buffer.concat([
    Buffer.from('c8d5d6be', 'hex'),
    Buffer.from(' line of a log in GBK, long enough to fill it\n'),
  ])
  await openFolder(godwit, files, { 'long.log': Buffer.concat(Array.from({ length: 100_000 }, () => line)) })
  const ranges: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/preview/content')) ranges.push(request.headers()['range'] ?? 'whole')
  })
  await files.row('long.log').getByRole('gridcell').nth(2).dblclick()
  await expect(page.getByText('日志 line of a log').first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('gb18030')
  expect(ranges).toEqual(['bytes=0-1048575'])
  // A key is lost when the page takes the focus for itself in that moment.
  await expect(async () => {
    await page.locator('[data-lines]').press('End')
    await expect.poll(() => ranges.length, { timeout: 5_000 }).toBeGreaterThan(1)
  }).toPass()
})

test('an archive gives out one file; a workbook shows its sheets, a document its pages and runs nothing', async ({
  files,
  page,
  godwit,
}) => {
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await openFolder(godwit, files, {
    'a.zip': await zipOf({
      'top.txt': 'at the top',
      'deep/er/inner.txt': 'picked out',
      '../../escape.txt': 'kept inside',
    }),
    'b.xlsx': await workbookOf(
      [
        ['Task', 'Who'],
        ['=1+1', 'Mei'],
      ],
      [['Sum', '12']],
    ),
    'c.docx': await documentOf('A written page'),
    'd.zip': Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]),
  })
  await files.row('a.zip').getByRole('gridcell').nth(2).dblclick()
  const list = page.getByRole('list', { name: 'Content of a.zip' })
  await expect(list.getByRole('button')).toHaveText([/deep/, /escape\.txt/, /top\.txt/])
  await list.getByRole('button', { name: /deep/ }).click()
  await list.getByRole('button', { name: /er/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('button', { name: /inner\.txt/ }).click(),
  ])
  expect(download.suggestedFilename()).toBe('inner.txt')
  expect(readFileSync(await download.path(), 'utf8')).toBe('picked out')
  await page
    .getByRole('dialog')
    .getByRole('navigation', { name: 'Folder path' })
    .getByRole('button', { name: 'Archive' })
    .click()
  await expect(list.getByRole('button', { name: /top\.txt/ })).toBeVisible()

  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('cell', { name: '=1+1' })).toBeVisible()
  await page.getByRole('tab', { name: 'Costs' }).click()
  await expect(page.getByRole('cell', { name: '12' })).toBeVisible()
  expect(refused).toEqual([])

  await page.getByRole('button', { name: 'Next file' }).click()
  const pages = page.frameLocator('iframe')
  await expect(pages.getByText('A written page')).toBeVisible()
  const title = await page.title()
  await pages.getByText('a link').click()
  expect(await page.title()).toBe(title)
  // A frame without an origin: nothing in it could read the session.
  const origin = await pages.locator('body').evaluate(() => self.origin)
  expect(origin).toBe('null')

  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(page.getByRole('heading', { name: 'This file could not be opened' })).toBeVisible()
})

test('a film in a format of studios plays, and goes on where it is moved to', async ({ files, page, godwit }) => {
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  const film = join(godwit.data, 'film.mov')
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25:duration=40']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=40']
  const codecs = ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, '-y', film])
  await openFolder(godwit, files, { 'film.mov': readFileSync(film) })
  await files.row('film.mov').getByRole('gridcell').nth(2).dblclick()
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.duration)).toBeCloseTo(40, 0)
  await expectNoBarriers(page)
  const time = (): Promise<number> => video.evaluate((media: HTMLVideoElement) => media.currentTime)
  await video.evaluate(async (media: HTMLVideoElement) => {
    media.muted = true
    await media.play()
  })
  await expect.poll(time).toBeGreaterThan(0.5)
  await video.evaluate((media: HTMLVideoElement) => void (media.currentTime = 34))
  await expect.poll(time).toBeGreaterThan(34.5)
  expect(await video.evaluate((media: HTMLVideoElement) => media.videoWidth)).toBe(320)
  expect(refused).toEqual([])
})
