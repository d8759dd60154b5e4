import { expect, signIn, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

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
