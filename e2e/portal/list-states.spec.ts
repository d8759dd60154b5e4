import type { Page, Route } from '@playwright/test'
import { ERRORS } from '@godwit/contract/errors/catalogue'
import { expectLegible, isMatrix, openView, VIEWS, viewName } from './barriers.ts'
import { expect, startSession, test } from './fixtures.ts'

/** Pages whose main thing is a list, and the route that it comes from. */
const LISTS: ReadonlyArray<readonly [page: string, route: string]> = [
  ['/group', '/api/group/list'],
  ['/recycle', '/api/files/recycled'],
  ['/favourites', '/api/files/favorites'],
  ['/recent', '/api/files/recent'],
  ['/link/share', '/api/share/link/list'],
  ['/link/invite', '/api/share/link/list'],
  ['/link/received', '/api/share/received/list'],
  ['/transfers', '/api/transfers'],
  ['/notification', '/api/notice/list'],
  ['/profile/tokens', '/api/user/api-tokens'],
  ['/admin/users', '/api/admin/users'],
  ['/admin/users/removed', '/api/admin/removed-users'],
  ['/admin/departments', '/api/admin/departments'],
  ['/admin/groups', '/api/admin/groups'],
  ['/admin/administrators', '/api/admin/administrators'],
  ['/admin/roles', '/api/admin/roles'],
  ['/admin/sessions', '/api/admin/sessions'],
  ['/admin/authentication', '/api/admin/authentication/providers'],
  ['/admin/authentication/syncs', '/api/admin/authentication/syncs'],
  ['/admin/spaces', '/api/admin/spaces'],
  ['/admin/storages', '/api/admin/storages'],
  ['/admin/recycle', '/api/admin/recycle'],
  ['/admin/links/share', '/api/admin/links'],
  ['/admin/links/invite', '/api/admin/links'],
  ['/admin/transfers', '/api/admin/transfers'],
  ['/admin/transfers/log', '/api/admin/transfers'],
  ['/admin/clients', '/api/admin/clients'],
  ['/admin/certificates', '/api/admin/certificates'],
  ['/admin/notices', '/api/admin/notices'],
  ['/admin/notices/types', '/api/admin/notices/types'],
  ['/admin/hooks', '/api/admin/hooks'],
  ['/admin/log/operations', '/api/admin/log/operations'],
  ['/admin/log/sign-ins', '/api/admin/log/sign-ins'],
  ['/admin/log/previews', '/api/admin/log/previews'],
  ['/admin/jobs', '/api/admin/jobs/failed'],
  ['/admin/jobs/events', '/api/admin/events/parked'],
  ['/admin/backups', '/api/admin/backups'],
  ['/admin/settings/history', '/api/admin/settings/history'],
]

/** Each view meets half of them, and the matrix all. */
const listsIn = (view: number) => LISTS.filter((_, at) => isMatrix || at % VIEWS.length === view)

const LOADING = /^(Loading|加载中)$/
const RETRY = /^(Try again|重试)$/

/** Nothing that mends by itself: pages ask again for a while before they give up on that. */
const FAULT = ERRORS.ROUTE_NOT_FOUND

/** Stands between a page and one route of the server. */
class Door {
  answer: (route: Route) => Promise<void> = (route) => route.continue()
  readonly #held: Array<() => void> = []

  /** Nothing is answered until `answer` is set by `let`. */
  hold(): void {
    this.answer = (route) =>
      new Promise((resolve) => {
        this.#held.push(() => void this.answer(route).then(resolve))
      })
  }

  let(answer: (route: Route) => Promise<void>): void {
    this.answer = answer
    for (const go of this.#held.splice(0)) go()
  }
}

function failing(route: Route): Promise<void> {
  return route.fulfill({ status: 404, json: { code: FAULT.wire, message: 'a fault', data: null } })
}

/** The real answer with nothing in its lists. */
async function emptied(route: Route): Promise<void> {
  const response = await route.fetch()
  const envelope = (await response.json()) as { readonly code: number; readonly data: unknown }
  await route.fulfill({ response, json: { ...envelope, data: withoutRows(envelope.data) } })
}

function withoutRows(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (Array.isArray(field)) return [name, []]
    return [name, name === 'total' ? 0 : field]
  })
  return Object.fromEntries(fields)
}

function listOf(page: Page) {
  return page.locator('#content').locator('[role=grid], [role=table]')
}

for (const [at, view] of VIEWS.entries()) {
  test(`every list says that it is on its way, why it failed, and what it is for while it is empty: ${viewName(view)}`, async ({
    browser,
    godwit,
  }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    // Then everything is asked by HTTP.
    await page.routeWebSocket('**/ws/files', (socket) => socket.close())
    await startSession(page, godwit)
    for (const [address, route] of listsIn(at)) {
      await test.step(address, async () => {
        const door = new Door()
        door.hold()
        await page.route(`**${route}*`, (asked) => door.answer(asked))
        await page.goto(address)
        const status = page.locator('#content').getByRole('status')
        const named = page.locator('#content').getByRole('status', { name: LOADING })
        await expect(named.or(status.filter({ hasText: LOADING })).first(), address).toBeVisible()
        await expectLegible(page)

        door.let(failing)
        const fault = page.locator('#content').getByRole('alert')
        await expect(fault, address).toBeVisible()
        await expect(fault).toContainText(String(FAULT.wire))
        await expectLegible(page)

        door.let(emptied)
        await fault.getByRole('button', { name: RETRY }).click()
        await expect(fault, address).toHaveCount(0)
        await expect(listOf(page)).toHaveCount(0)
        const panel = page.locator('#content').getByRole('heading', { level: 2 })
        await expect(panel, address).not.toHaveCount(0)
        await expectLegible(page)
        await page.unroute(`**${route}*`)
      })
    }
    await context.close()
  })
}
