import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, test } from './fixtures.ts'

test('a film has its picture among the tiles, and before it plays', async ({ files, page, godwit }) => {
  const folder = `${files.folder}/films`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(home, { recursive: true })
  const bars = ['-f', 'lavfi', '-i', 'testsrc=size=640x360:rate=10:duration=2']
  for (const [name, codec] of [
    ['a.mp4', 'libx264'],
    ['b.avi', 'mpeg4'],
  ] as const)
    execFileSync('ffmpeg', ['-v', 'error', ...bars, '-c:v', codec, '-pix_fmt', 'yuv420p', join(home, name)])
  await files.goto(folder)
  await files.row('a.mp4').click()
  await page.keyboard.press('v')
  for (const name of ['a.mp4', 'b.avi']) {
    const picture = page
      .getByRole('gridcell')
      .filter({ has: page.locator(`[title="${name}"]`) })
      .locator('img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256)
  }
  await expectNoBarriers(page)
  const shown = page.waitForResponse((response) => response.url().endsWith('&poster=1'))
  await page.keyboard.press('Enter')
  const poster = await shown
  expect([poster.status(), poster.headers()['content-type']]).toEqual([200, 'image/webp'])
  const film = page.locator('video')
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(2, 1)
  await expectNoBarriers(page)
})
