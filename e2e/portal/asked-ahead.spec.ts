import type { Page } from '@playwright/test'
import { expect, startSession, test } from './fixtures.ts'
import { callsOf, holdCode } from './page-load.ts'
import { ShellPage } from './pages/shell.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

const ACCOUNT = ['/api/website/info', '/api/user/info', '/api/service/info']

/** The pieces that the page was told of and does not fetch. */
async function idlePieces(page: Page): Promise<number> {
  return page.locator('link[data-inside]:not([rel])').count()
}

test('the portal and the account are under way before the page has code, and asked for once', async ({
  page,
  godwit,
}) => {
  await startSession(page, godwit)
  const release = await holdCode(page)
  const calls = callsOf(page)
  const pieces: string[] = []
  page.on('response', (response) => pieces.push(new URL(response.url()).pathname))
  await page.goto('/personal', { waitUntil: 'commit' })
  await expect.poll(() => calls.toSorted()).toEqual(ACCOUNT.toSorted())
  await expect.poll(() => pieces.some((piece) => piece.startsWith('/assets/portal-'))).toBe(true)
  expect(await idlePieces(page)).toBe(0)
  release()
  await new ShellPage(page).bell.waitFor()
  for (const call of ACCOUNT) expect(calls.filter((each) => each === call)).toHaveLength(1)
})

test('so are the console and what its administrator may do', async ({ page, godwit }) => {
  await startSession(page, godwit)
  const calls = callsOf(page)
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const call of ['/api/website/info', '/api/admin/me'])
    expect(calls.filter((each) => each === call)).toHaveLength(1)
})

test('the account is that of the space in the address', async ({ page, godwit }) => {
  await startSession(page, godwit)
  const release = await holdCode(page)
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url().replace(godwit.url, '')))
  await page.goto('/personal?space=1', { waitUntil: 'commit' })
  await expect.poll(() => addresses).toContain('/api/user/info?spaceId=1')
  release()
  await new ShellPage(page).bell.waitFor()
  expect(addresses.filter((address) => address.startsWith('/api/user/info'))).toEqual(['/api/user/info?spaceId=1'])
})

test('nothing is asked for anybody who is not signed in, or who arrives to sign in', async ({ page, godwit }) => {
  const release = await holdCode(page)
  const calls = callsOf(page)
  const quiet = async (address: string): Promise<void> => {
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator('body').waitFor({ state: 'attached' })
    expect(await idlePieces(page)).toBe(await page.locator('link[data-inside]').count())
    expect(calls).toEqual([])
  }
  await quiet('/personal')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  release()
  await startSession(page, godwit)
  await holdCode(page)
  calls.splice(0)
  await quiet('/signin')
})

test('a session that has ended meanwhile ends the page, too', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as object
    localStorage.setItem('godwit.session', JSON.stringify({ ...session, token: 'ended' }))
  })
  await page.goto('/personal')
  await new SignInPage(page).account.waitFor()
})
