import { join } from 'node:path'
import { chromium } from '../chromium.ts'
import { watchDevice } from './device.ts'
import { expect, operate, test } from './fixtures.ts'
import { makeFile, MiB, uplinkOf } from './large-files.ts'

// The headless build refuses every notification without a question.
test.use({ launchOptions: chromium('chromium') })

test('moving about and switching the language stop no upload; the device stays awake, and a notice says that it ended', async ({
  files,
  computer,
  page,
}) => {
  const seen = await watchDevice(page)
  for (const name of ['inner', 'other']) await operate(page, 'mkdir', { folder: files.folder, name })
  // Slow enough for all that is looked at meanwhile, on any machine.
  const setUplink = await uplinkOf(page)
  await setUplink(MiB / 8)
  await files.choose([await makeFile(join(computer, 'walk.bin'), 24 * MiB)])
  let aborted = 0
  page.on('requestfailed', (request) => {
    if (request.url().includes('/parts/')) aborted += 1
  })
  for (let round = 0; round < 5; round++) {
    await files.row('inner').getByRole('link').click()
    await expect(page).toHaveURL(/inner/)
    await page.goBack()
  }
  expect(await seen('locks')).toEqual(['held'])
  expect(await seen('notices')).toEqual([])
  await expect(files.uploads.button('Notify me when they are done')).toBeVisible()
  await page.context().grantPermissions(['screen-wake-lock', 'notifications'])
  await files.uploads.button('Notify me when they are done').click()
  await expect(files.uploads.button('Notify me when they are done')).toHaveCount(0)
  await page.getByTestId('account').click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(files.uploads.panel).toContainText('walk.bin')
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }))
  await setUplink(-1)
  await files.uploads.toSettle(['completed'])
  expect(aborted).toBe(0)
  await expect.poll(() => seen('notices')).toEqual(['已上传 1 个文件'])
  expect(await seen('locks')).toEqual(['released'])
})
