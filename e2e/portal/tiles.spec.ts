import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEIC, pngOf } from '@godwit/testkit'
import type { Locator, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, test } from './fixtures.ts'

const tile = (page: Page, name: string): Locator =>
  page.getByRole('gridcell').filter({ has: page.locator(`[title=${JSON.stringify(name)}]`) })

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(to[0] - 10, to[1] - 10, { steps: 4 })
  await page.mouse.move(...to, { steps: 4 })
  await page.mouse.up()
}

// One piece: each step goes on with the folder of the one before.
test('files as tiles: pictures, keys in two dimensions, band, menu, rename, place and phone', async ({
  files,
  page,
  godwit,
}) => {
  const folder = `${files.folder}/box`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(join(home, 'inner'), { recursive: true })
  const names = Array.from({ length: 60 }, (_, at) => `p${String(at).padStart(2, '0')}.png`)
  for (const name of names) writeFileSync(join(home, name), pngOf(300, 200))
  writeFileSync(join(home, 'a.heic'), HEIC)
  writeFileSync(join(home, 'b.txt'), 'text')
  await files.goto(folder)

  // The selection and the keyboard stay where they are.
  await files.row('a.heic').click()
  await page.keyboard.press('v')
  const tiles = page.locator('[data-layout=tiles]')
  await expect(tiles).toBeFocused()
  await expect(tile(page, 'a.heic')).toHaveAttribute('aria-selected', 'true')
  for (const name of ['a.heic', 'p00.png']) {
    const width = (img: HTMLImageElement): number => img.naturalWidth
    await expect.poll(() => tile(page, name).locator('img').evaluate(width)).toBe(name === 'a.heic' ? 96 : 256)
  }
  await expect(tile(page, 'b.txt').locator('img')).toHaveCount(0)
  await expectNoBarriers(page)

  // inner, a.heic, b.txt and then the pictures, so many in a row.
  const columns = Number(await tiles.getAttribute('aria-colcount'))
  expect(columns).toBeGreaterThan(3)
  const focused = tiles.locator('[data-focused]')
  await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAttribute('data-row', String(1 + columns))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(focused).toHaveAttribute('data-row', '2')
  await expect(page.getByTestId('selected')).toContainText(String(columns + 1))

  // A band takes what it touches: two columns of two rows.
  const box = async (name: string) => (await tile(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [first, below] = [await box('p00.png'), await box(names[columns + 1] ?? '')]
  await drag(page, [first.x - 4, first.y + 40], [below.x + 20, below.y + 20])
  await expect(page.getByTestId('selected')).toContainText('4')
  const selected = tiles.locator('[aria-selected=true]')
  await expect(selected).toHaveCount(4)

  // The menu, a rename in place, and a move by drag.
  await tile(page, 'b.txt').click({ button: 'right' })
  await page.getByRole('menu').locator('[data-action=rename]').click()
  await expect(page.locator('[data-editor] input')).toBeFocused()
  await page.keyboard.type('bb')
  await page.keyboard.press('Enter')
  await expect(tile(page, 'bb.txt')).toBeVisible()
  await tile(page, 'bb.txt').locator('[draggable=true]').first().dragTo(tile(page, 'inner'))
  await expect(tile(page, 'bb.txt')).toHaveCount(0)

  // Both layouts stand at the same place of the folder, after a reload as well.
  await page.keyboard.press('End')
  await expect(tile(page, 'p59.png')).toBeInViewport()
  await page.keyboard.press('v')
  await expect(tiles).toHaveCount(0)
  await expect(files.grid).toBeFocused()
  await expect(files.row('p59.png')).toBeInViewport()
  await page.keyboard.press('v')
  await expect(tile(page, 'p59.png')).toBeInViewport()
  await expect(tile(page, 'p59.png')).toHaveAttribute('aria-selected', 'true')
  await page.reload()
  await expect(tile(page, 'p59.png')).toBeInViewport()
  await tile(page, 'p59.png').dblclick()
  await expect(page.getByRole('dialog', { name: 'p59.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Two columns on a phone, and targets for a thumb; a tap opens.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(tiles).toHaveAttribute('aria-colcount', '2')
  await tiles.focus()
  await page.keyboard.press('Home')
  await expect(tile(page, 'p00.png')).toBeInViewport()
  for (const target of [tile(page, 'p00.png').locator('[data-menu]'), tile(page, 'p00.png').locator('label')]) {
    const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 }
    expect([width, height]).toEqual([44, 44])
  }
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('selected')).toHaveCount(0)
  await tile(page, 'p01.png').click()
  await expect(page.getByRole('dialog', { name: 'p01.png' })).toBeVisible()
})
