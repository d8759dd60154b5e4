import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'

const test = withOwnServer()

test('names, title, colour, icon and logo are the installation’s own, in both languages', async ({
  page,
  godwit,
  computer,
}) => {
  const logo = join(computer, 'logo.png')
  await writeFile(logo, plainPng(120, 40))
  await operator(godwit, 'site', 'set', 'productNameEN', 'Parcel House')
  await operator(godwit, 'site', 'set', 'productNameZH', '包裹屋')
  await operator(godwit, 'site', 'set', 'primaryColor', '#FFFF00')
  await operator(godwit, 'site', 'set', 'logo', logo)
  await operator(godwit, 'site', 'set', 'icon', await smallIcon(computer))
  await page.goto('/signin')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Parcel House')
  await expect(page.getByTestId('own-logo')).toHaveJSProperty('naturalWidth', 120)
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/customize\/icon/)
  const asked = await page.request.get('/favicon.ico')
  expect([asked.status(), asked.headers()['content-type'], new URL(asked.url()).pathname]).toEqual([
    ...[200, 'image/png', '/customize/icon'],
  ])
  await signIn(page, godwit)
  await expect(page).toHaveTitle('My files - Parcel House')
  await expect(page.getByRole('banner').getByTestId('own-logo')).toBeVisible()
  const solid = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--solid-light'))
  expect(solid.toUpperCase()).not.toBe('#FFFF00')
  expect(contrastWithWhite(solid)).toBeGreaterThan(4.5)
  await page.getByRole('banner').getByRole('button', { name: '简体中文' }).click()
  await expect(page).toHaveTitle('我的文件 - 包裹屋')
  await operator(godwit, 'site', 'set', 'urlName', 'files.example.org')
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByTestId('bell').waitFor()
      return page.title()
    })
    .toBe('我的文件 - files.example.org')
})

async function smallIcon(folder: string): Promise<string> {
  const path = join(folder, 'icon.png')
  await writeFile(path, plainPng(32, 32))
  return path
}

function contrastWithWhite(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.trim().slice(at, at + 2), 16) / 255)
  const linear = (part = 0): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 1.05 / (0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05)
}

/** A black picture in eight-bit grey, as small as PNG allows. */
function plainPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
