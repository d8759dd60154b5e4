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

test('a film that is cut and not encoded plays, and goes on where it is moved to', async ({ files, page, godwit }) => {
  const folder = `${files.folder}/cut`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(home, { recursive: true })
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=40']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=40']
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-bf', '3', '-g', '130', '-c:a', 'ac3', '-f', 'mpegts']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, join(home, 'camera.mts')])
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await files.goto(folder)
  await files.row('camera.mts').click()
  await page.keyboard.press('Enter')
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.duration)).toBeCloseTo(40, 0)
  const time = (): Promise<number> => video.evaluate((media: HTMLVideoElement) => media.currentTime)
  await video.evaluate(async (media: HTMLVideoElement) => {
    media.muted = true
    await media.play()
  })
  // Over the first cut, after 5.2 s.
  await expect.poll(time).toBeGreaterThan(6)
  await video.evaluate((media: HTMLVideoElement) => void (media.currentTime = 34))
  await expect.poll(time).toBeGreaterThan(37)
  expect(await video.evaluate((media: HTMLVideoElement) => media.videoWidth)).toBe(320)
  const decoded = await video.evaluate((media: HTMLVideoElement) => media.getVideoPlaybackQuality().totalVideoFrames)
  expect(decoded).toBeGreaterThan(50)
  expect(asked.filter((url) => url.includes('stream=copy&segment='))).not.toEqual([])
  expect(asked.filter((url) => /stream=(?:low|high)/.test(url))).toEqual([])
})

test('a film that the browser does not take as it is is made playable', async ({ files, page, godwit }) => {
  const folder = `${files.folder}/refused`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(home, { recursive: true })
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=12']
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '110', '-f', 'mpegts']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...codecs, join(home, 'camera.mts')])
  // As after a segment that did not begin where the playlist says.
  await page.route(/stream=copy&segment=1/, (route) => route.fulfill({ status: 404 }))
  await files.goto(folder)
  await files.row('camera.mts').click()
  await page.keyboard.press('Enter')
  const video = page.locator('video')
  const time = (): Promise<number> => video.evaluate((media: HTMLVideoElement) => media.currentTime)
  const made = page.waitForResponse(/stream=low&segment=/)
  await expect.poll(() => video.evaluate((media: HTMLVideoElement) => media.readyState)).toBeGreaterThan(1)
  await video.evaluate((media: HTMLVideoElement) => void media.play().catch(() => undefined))
  expect((await made).status()).toBe(200)
  await video.evaluate(async (media: HTMLVideoElement) => {
    media.muted = true
    await media.play()
  })
  await expect.poll(time).toBeGreaterThan(6)
})
