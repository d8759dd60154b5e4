import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test.use({ serviceWorkers: 'allow' })

test('the page opens without a connection, and keeps nothing of the server’s answers', async ({
  page,
  godwit,
  context,
}) => {
  await signIn(page, godwit)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  // The worker rules the page from the next visit on.
  await page.goto('/personal?path=/')
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  await page.goto('/notification')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname + new URL(url).search)
  })
  expect(kept).toContain('/')
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
  await context.setOffline(true)
  await page.goto('/personal')
  await expect(page.getByText('No connection to the server. Reconnecting automatically.')).toBeVisible()
  await context.setOffline(false)
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect(page).toHaveURL(/\/personal$/)
})

test('arriving to sign in leaves what is kept as it was, and finds it without a connection', async ({
  page,
  godwit,
  context,
}) => {
  const { card } = new SignInPage(page)
  const kept = () =>
    page.evaluate(async () => {
      const cache = await caches.open('godwit-shell-1')
      const pieces = await cache.keys()
      return { paths: pieces.map(({ url }) => new URL(url).pathname), html: await (await cache.match('/'))?.text() }
    })
  await signIn(page, godwit)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto('/personal')
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  const before = await kept()
  expect(before.html).not.toContain('id="first"')
  await page.goto('/signin')
  await expect(card).toBeVisible()
  const after = await kept()
  expect(after.html).toBe(before.html)
  expect(after.paths).toEqual(expect.arrayContaining(before.paths))
  await context.setOffline(true)
  await page.goto('/signin')
  await expect(page.getByText('No connection to the server. Reconnecting automatically.')).toBeVisible()
  await context.setOffline(false)
  await expect(card).toBeVisible()
})

test('what another app of the device shares waits on the device until a folder is chosen for it', async ({
  page,
  files,
  computer,
}) => {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto('/incoming')
  await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
  await expectNoBarriers(page)
  const report = join(computer, 'Bericht – 报告.pdf')
  await writeFile(report, 'of another app')
  // As the browser of a phone sends it when the app is chosen in a share menu.
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), {
      ...{ method: 'post', action: '/incoming', enctype: 'multipart/form-data', id: 'shared' },
    })
    for (const [name, type] of [
      ['files', 'file'],
      ['title', 'text'],
      ['text', 'text'],
    ] as const)
      form.append(Object.assign(document.createElement('input'), { name, type }))
    document.body.append(form)
  })
  await page.locator('#shared [name=files]').setInputFiles(report)
  await page.locator('#shared [name=title]').fill('To read: a/b')
  await page.locator('#shared [name=text]').fill('https://example.test/')
  await page.evaluate(() => document.querySelector<HTMLFormElement>('#shared')?.submit())
  const waiting = page.getByTestId('incoming').getByRole('listitem')
  await expect(waiting).toHaveText([/Bericht – 报告\.pdf.*14 B/, /To read a b\.txt/])
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 1400, height: 900 })
  // Nothing has left the device, so it is there after a restart of the browser, too.
  await page.reload()
  await expect(waiting).toHaveCount(2)
  await waiting.nth(1).getByRole('button', { name: 'Discard “To read a b.txt”' }).click()
  await expect(waiting).toHaveCount(1)
  await page.getByRole('button', { name: 'Choose a folder' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill(files.folder.slice(1))
  await dialog.getByRole('treeitem', { name: files.folder.slice(1) }).click()
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Upload here' }).click()
  await expect(files.row('Bericht – 报告.pdf')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('path')).toBe(files.folder)
  await page.goto('/incoming')
  await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
  // The next person at this device does not find what waited.
  const isKept = () => page.evaluate(() => caches.has('godwit-incoming'))
  expect(await isKept()).toBe(true)
  await new ShellPage(page).account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/signin/)
  expect(await isKept()).toBe(false)
})

test('the browser may install it, under the name of the site', async ({ page, godwit }) => {
  await signIn(page, godwit)
  const manifest = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? ''
    return (await fetch(address)).json() as Promise<{
      name: string
      icons: ReadonlyArray<{ src: string; sizes: string }>
    }>
  })
  expect(manifest.name).toBe('Godwit')
  for (const { src, sizes } of manifest.icons) {
    const side = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return image.naturalWidth
    }, src)
    expect(`${side}x${side}`).toBe(sizes)
  }
  const cdp = await page.context().newCDPSession(page)
  const { installabilityErrors } = (await cdp.send('Page.getInstallabilityErrors')) as {
    installabilityErrors: ReadonlyArray<{ errorId: string }>
  }
  // A window that forgets everything is the one thing a test cannot avoid.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('the offer to install stands in the account menu while the browser makes it', async ({ page, godwit }) => {
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: () => {
        document.documentElement.dataset['asked'] = 'yes'
        return Promise.resolve()
      },
    })
    window.dispatchEvent(offer)
  })
  await shell.account.click()
  await page.getByRole('menuitem', { name: 'Install as an app' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-asked', 'yes')
  await shell.account.click()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Install as an app' })).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the camera is a way to upload, and a photo is named after its time', async ({ page, files, computer }) => {
    const photo = join(computer, 'image.jpg')
    await writeFile(photo, 'a photo')
    await utimes(photo, 1_790_000_000, new Date(2026, 8, 21, 14, 5, 9).getTime() / 1000)
    await page.getByTestId('toolbar').getByRole('button', { name: 'More' }).tap()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Take a photo' }).tap()
    const chooser = await choosing
    expect(
      await chooser.element().evaluate((input: HTMLInputElement) => [input.accept, input.getAttribute('capture')]),
    ).toEqual(['image/*', 'environment'])
    await chooser.setFiles(photo)
    await expect(files.row('Photo 2026-09-21 14.05.09.jpg')).toBeVisible()
  })
})
