import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, encodePassword } from '@godwit/contract'
import { auth } from '@godwit/contract/table/auth'
import { type Godwit, launchGodwit } from '@godwit/testkit'
import { test as base, type Page, type WorkerFixture } from '@playwright/test'
import { FilesPage } from './pages/files.page.ts'

interface Fixtures {
  /** Signed in, in an empty folder of the test's own. */
  readonly files: FilesPage
  /** A folder on this computer, removed afterwards. */
  readonly computer: string
}

/** A server for each worker. */
function godwitPerWorker(choosePort?: () => Promise<number>): [WorkerFixture<Godwit, object>, { scope: 'worker' }] {
  return [
    // Playwright reads what a fixture needs from this pattern, so it must be one.
    async ({}, use) => {
      const godwit = await launchGodwit(choosePort === undefined ? {} : { port: await choosePort() })
      await use(godwit)
      await godwit.stop()
    },
    { scope: 'worker' },
  ]
}

/** A folder for each test: tests run side by side and in any order. */
export const test = base.extend<Fixtures, { readonly godwit: Godwit }>({
  godwit: godwitPerWorker(),
  baseURL: async ({ godwit }, use) => use(godwit.url),
  files: async ({ page, godwit }, use, info) => {
    await startSession(page, godwit)
    await discardUploads(page)
    const folder = `/t${info.testId}-${info.repeatEachIndex}`
    await operate(page, 'mkdir', { folder: '/', name: folder.slice(1) })
    const files = new FilesPage(page)
    await files.goto(folder)
    await use(files)
  },
  computer: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'godwit-e2e-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
})

/**
 * For a file whose tests change the settings of the site: each call has a server of its own, so that no other file meets what they set.
 * @param choosePort for tests that restart it: what the system chooses is another one each time
 */
export function withOwnServer(choosePort?: () => Promise<number>) {
  return test.extend<object, { readonly godwit: Godwit }>({ godwit: godwitPerWorker(choosePort) })
}

export { expect } from '@playwright/test'

type Person = Pick<Godwit, 'url' | 'administrator'>

/** Signs in without the sign-in page, and opens the portal; tests of that page use {@link SignInPage}. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await startSession(page, person)
  await page.goto(`${person.url}/personal`)
  await page.getByTestId('toolbar').waitFor()
}

/** Signs in as the portal keeps it, and opens nothing yet: for tests that go to a page of their own next. */
export async function startSession(page: Page, { url, administrator }: Person): Promise<void> {
  const { account, password } = administrator
  // Any page of the site will do to write into its storage; this one is small.
  await page.goto(`${url}/assets/theme.js`)
  // The list of sessions names the browser.
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const fetchAsPage: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('user-agent', userAgent)
    return fetch(input, { ...init, headers })
  }
  const api = createClient({ baseUrl: url, fetch: fetchAsPage })
  const login = await api.call(auth.login, { body: { account, password: encodePassword(password) } })
  await page.evaluate(({ token, refresh_token: refreshToken, userId, account: name }) => {
    const session = { token, refreshToken, userId, account: name, refreshedAt: Date.now() }
    localStorage.setItem('godwit.session', JSON.stringify(session))
    // As somebody left it who follows the rows of their uploads.
    localStorage.setItem('godwit.upload-panel', 'expanded')
  }, login)
}

/** Uploads that an earlier test left unfinished would be rows in the panel of this one. */
async function discardUploads(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
    const headers = { authorization: `Bearer ${session.token}` }
    const answer = await fetch('/api/uploads', { headers })
    const { data } = (await answer.json()) as { data: { items: ReadonlyArray<{ uploadId: string }> } }
    for (const { uploadId } of data.items) await fetch(`/api/uploads/${uploadId}`, { method: 'DELETE', headers })
  })
}

/** Calls a file operation with the page's own session. */
export async function operate(page: Page, operation: string, input: object): Promise<unknown> {
  return post(page, `/api/files/${operation}`, input)
}

/** Makes a link with the page's own session. @returns its id */
export async function createLink(page: Page, wanted: object): Promise<string> {
  const { linkId } = (await post(page, '/api/share/link/create', wanted)) as { readonly linkId: string }
  return linkId
}

async function post(page: Page, path: string, input: object): Promise<unknown> {
  return page.evaluate(
    async ([address, body]) => {
      const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { code: number; data: unknown; message?: string }
      if (answer.code !== 200) throw new Error(`${address}: ${answer.code} ${answer.message}`)
      return answer.data
    },
    [path, input] as const,
  )
}
