import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientAddress } from '@godwit/contract/exchange/client-address'
import { expectNoBarriers } from './barriers.ts'
import { runClient, startUploads } from './desktop-client.ts'
import { expect, withOwnServer } from './fixtures.ts'

const test = withOwnServer()

test('the page of the client shows and drives what its computer transfers', async ({ page, godwit, computer }) => {
  const home = join(computer, 'client')
  const file = join(computer, 'film.mov')
  await writeFile(file, Buffer.alloc(24 * 2 ** 20, 7))
  await mkdir(join(computer, 'scans'))
  const program = await startUploads(godwit, home, [file])
  const { url } = await runClient(home, 'open')
  await page.goto(String(url))
  expect(new URL(page.url()).hash).toBe('')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Godwit client')

  const speed = page.getByRole('slider', { name: 'Speed limit' })
  await speed.press('Home')
  await expect(page.getByTestId('rate')).toHaveText('1 Mbit/s')
  const film = page.getByRole('listitem').filter({ hasText: 'film.mov' })
  await expect(film).toContainText('over UDP')
  await expect(film).toContainText('At the speed limit')
  await expectNoBarriers(page)

  // One click on any rate, and all are in the other unit, also on the next visit.
  await film.getByRole('button', { name: /bit\/s over UDP/ }).click()
  await expect(film.getByRole('button', { name: /B\/s over UDP/ })).toBeVisible()
  await expect(page.getByTestId('rate')).toHaveText('125 kB/s')
  await page.reload()
  await page.getByTestId('rate').getByRole('button').click()
  await expect(page.getByTestId('rate')).toHaveText('1 Mbit/s')

  await film.getByRole('button', { name: 'Pause film.mov' }).click()
  await expect(film).toHaveAttribute('data-state', 'paused')
  await film.getByRole('button', { name: 'Resume film.mov' }).click()
  await expect(film).toContainText('over UDP')
  await page.getByRole('button', { name: 'Pause all' }).click()
  await page.getByRole('menuitem', { name: 'Until tomorrow' }).click()
  await expect(page.getByText('All transfers are paused until')).toBeVisible()
  await expect(film).toHaveAttribute('data-state', 'waiting')
  await page.getByRole('button', { name: 'Resume all' }).click()
  await speed.press('End')
  await expect(film).toHaveAttribute('data-state', 'done')

  await page.getByLabel('Folder of this computer').fill(join(computer, 'nothing'))
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('alert').getByRole('button').click()
  await page.getByLabel('Folder of this computer').fill(join(computer, 'scans'))
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Stop watching/ })).toBeVisible()
  await rm(join(computer, 'scans'), { recursive: true })
  await expect(page.getByText('This folder is not on the computer now.')).toBeVisible()
  await page.getByRole('button', { name: /^Stop watching/ }).click()

  // A reload keeps the page; the end of the client does not.
  await page.reload()
  await expect(film).toHaveAttribute('data-state', 'done')
  await expectNoBarriers(page)
  await program.end('SIGTERM')
  await expect(page.getByText('The client is not running.')).toBeVisible()
})

test('the files of three folders that exist already are three clicks', async ({ page, godwit, computer }) => {
  const home = join(computer, 'client')
  const album = join(computer, 'album')
  const write = async (content: string): Promise<void> => {
    for (const folder of ['spring', 'summer', 'winter']) {
      await mkdir(join(album, folder), { recursive: true })
      const count = folder === 'winter' ? 8 : 6
      for (let at = 0; at < count; at++) await writeFile(join(album, folder, `${at}.txt`), `${content} ${at}`)
    }
  }
  await write('first')
  const program = await startUploads(godwit, home, [album])
  const { url } = await runClient(home, 'open')
  await page.goto(String(url))
  const items = page.locator('li[data-state]').filter({ hasText: 'album' })
  await expect(items).toHaveAttribute('data-state', 'done')
  await write('second')
  // As the menu of a file manager does.
  await runClient(home, 'send', '--', album, join(computer, 'gone'))
  const card = page.getByRole('region', { name: 'Send 1 file or folder' })
  await expect(card).toContainText('“gone” is no longer there')
  await expectNoBarriers(page)
  await card.getByRole('button', { name: 'Send' }).click()
  await expect(card).toBeHidden()
  const asking = items.first()
  await expect(asking).toHaveAttribute('data-state', 'asking')
  await expect(asking).toContainText('20 files already exist at the target')
  await expectNoBarriers(page)

  await asking.getByRole('button', { name: 'Replace: album/spring' }).click()
  await expect(asking).toContainText('14 files')
  await asking.getByRole('button', { name: 'Skip: album/summer' }).click()
  await asking.getByRole('button', { name: 'Keep both: All 8' }).click()
  await expect(items).toHaveCount(2)
  await expect(items.first()).toHaveAttribute('data-state', 'done')
  await expect(items.last()).toHaveAttribute('data-state', 'done')
  await program.end('SIGTERM')
})

test('a web page that opens the client for a server where nobody is signed in leaves the answer to the person', async ({
  page,
  godwit,
  computer,
}) => {
  const home = join(computer, 'client')
  const program = await startUploads(godwit, home, [])
  const other = godwit.url.replace('127.0.0.1', 'localhost')
  const opened = await runClient(home, 'open', '--', clientAddress(other))
  await page.goto(String(opened.url))
  const asked = page.getByRole('region', { name: 'Sign in to this server?' })
  await expect(asked).toContainText(`A web page wants this computer to connect to ${other}.`)
  await expectNoBarriers(page)
  await asked.getByRole('button', { name: 'Sign in' }).click()
  await expect(asked.getByTestId('user-code')).toHaveText(/^[A-Z0-9]{4}-?[A-Z0-9]{4}$/)
  await expect(asked.getByRole('link', { name: 'Confirm in the browser' })).toHaveAttribute(
    'href',
    /^http:\/\/localhost:/,
  )
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.getByRole('button', { name: 'Not now' }).click()
  await expect(asked).toBeHidden()
  // One is typed as well.
  const address = page.getByLabel('Address of the server')
  await address.fill('no such address')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('This is not the address of a server.')).toBeVisible()
  // A server that refuses is told in the language of the page: a token of an account makes no device.
  await expect(page.getByText('An API token transfers files, but web pages cannot drive')).toBeVisible()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(page.getByText('API 令牌可以传输文件，但网页无法用它控制此客户端。')).toBeVisible()
  await program.end('SIGTERM')
})
