import { join } from 'node:path'
import { apiToken, startUpload } from './desktop-client.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { bytesRead, makeFile, MiB, sha256, uplinkOf } from './large-files.ts'
import { FilesPage } from './pages/files.page.ts'

// The transfers of the account are counted here.
const test = withOwnServer()

/** The matrix sends as much as people do. */
const IS_MATRIX = process.env['E2E_MATRIX'] !== undefined
const SIZE = IS_MATRIX ? 5000 * MiB : 160 * MiB
/** Bytes a second of the browser and of the client; parts of a file may be on the line when either is closed. */
const RATE = IS_MATRIX ? 160 * MiB : 16 * MiB
const MOST_SENT = IS_MATRIX ? 1.02 : 1.35

test('an upload begun in the browser is gone on with by the client, and ended by the browser', async ({
  page,
  browser,
  godwit,
  computer,
}) => {
  test.setTimeout(IS_MATRIX ? 900_000 : 120_000)
  const file = await makeFile(join(computer, 'film.mov'), SIZE)
  let sent = 0

  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  await (
    await uplinkOf(page)
  )(RATE)
  const atFirst = await bytesRead(godwit)
  await files.choose([file])
  const share = async (): Promise<number> => Number(/^(\d+)%/.exec(await page.title())?.[1] ?? 0)
  await expect.poll(share, { timeout: 300_000 }).toBeGreaterThanOrEqual(30)
  const byBrowser = (await share()) / 100
  await page.close()
  sent += (await bytesRead(godwit)) - atFirst

  // As on another computer, with a copy of the file.
  const client = await startUpload(godwit, file, {
    home: join(computer, 'client'),
    token: await apiToken(godwit),
    rate: `${(8 * RATE) / 1_000_000}M`,
  })
  const progress = () => {
    const line = client
      .output()
      .trimEnd()
      .split('\n')
      .findLast((text) => text.includes('"event":"progress"'))
    return JSON.parse(line ?? '{}') as { readonly bytesDone?: number; readonly bytesMoved?: number }
  }
  await expect.poll(() => (progress().bytesDone ?? 0) / SIZE, { timeout: 300_000 }).toBeGreaterThan(0.65)
  const { bytesMoved = 0, bytesDone = 0 } = progress()
  await client.end('SIGTERM')
  sent += bytesMoved
  // What the browser had brought did not come again.
  expect(bytesMoved).toBeLessThan(bytesDone - (byBrowser - 0.15) * SIZE)

  const back = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(back, godwit)
  const again = new FilesPage(back)
  await again.goto('/')
  const before = await bytesRead(godwit)
  await again.choose([file])
  await again.uploads.toSettle(['completed'])
  const byBrowserAgain = (await bytesRead(godwit)) - before
  expect(byBrowserAgain / SIZE).toBeGreaterThan(0.05)
  sent += byBrowserAgain
  expect(await sha256(join(godwit.data, 'files/users', godwit.administrator.account, 'film.mov'))).toBe(
    await sha256(file),
  )
  expect(sent / SIZE).toBeLessThan(MOST_SENT)
})
