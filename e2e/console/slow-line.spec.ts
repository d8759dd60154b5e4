import { errorSpec } from '@godwit/contract/errors/catalogue'
import { encodePassword } from '@godwit/contract/passwords'
import type { Page, Route } from '@playwright/test'
import { expect, signIn, withOwnServer } from '../portal/fixtures.ts'

// What is set here holds for the whole site.
const test = withOwnServer()

/** Calls the server with the page's own session. @returns what it answers */
async function call<Answer>(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await page.evaluate(
    async ([way, address, content]) => {
      const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const options = content === undefined ? {} : { body: JSON.stringify(content) }
      const reply = await fetch(`/api/admin/${address}`, { method: way, headers, ...options })
      return (await reply.json()) as { readonly code: number; readonly data: unknown }
    },
    [method, path, body] as const,
  )
  expect(answer.code).toBe(200)
  return answer.data as Answer
}

/** Holds what is asked in this way at this address, below `/api`, until it is let go. */
async function hold(page: Page, method: string, path: RegExp) {
  const seen = Promise.withResolvers<undefined>()
  const gate = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (route.request().method() !== method) return route.fallback()
      seen.resolve(undefined)
      await (
        await gate.promise
      )(route)
    },
  )
  return {
    seen: seen.promise,
    release: (): void => gate.resolve((route) => route.continue()),
    /** The line is cut before there is an answer. */
    cut: (): void => gate.resolve((route) => route.abort()),
    answer: (data: object): void => gate.resolve((route) => route.fulfill({ json: { code: 200, message: '', data } })),
  }
}

/** As when somebody comes back to the window: the page asks for what it shows again. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
}

const SAVED = 'The settings are saved and in force.'

test.describe('two administrators at one role', () => {
  test('the second save says what changed meanwhile, however often the page has asked for the role', async ({
    page,
    godwit,
  }) => {
    await signIn(page, godwit)
    const scopes = { auditScope: 'own', folderScope: 'own' }
    const wanted = { name: 'Helpers', rights: ['users.view', 'users.remove'], ...scopes }
    const { role } = await call<{ role: { id: number } }>(page, 'POST', 'roles', wanted)
    await page.goto(`/admin/roles/${role.id}`)
    await expect(page.locator('input[name=name]')).toHaveValue('Helpers')

    await call(page, 'PATCH', `roles/${role.id}`, { revision: 1, rights: ['users.view'] })
    const asked = page.waitForResponse(/\/api\/admin\/roles\?/)
    await comeBack(page)
    await asked
    await page.locator('input[name=name]').fill('Helpers of the desk')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('Somebody else saved meanwhile')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('The role was saved.')).toBeVisible()

    const { rows } = await call<{ rows: object[] }>(page, 'GET', 'roles?text=Helpers')
    expect(rows).toEqual([expect.objectContaining({ name: 'Helpers of the desk', rights: ['users.view'] })])
  })

  test('a role is found among many, and one that is gone says so', async ({ page, godwit }) => {
    await signIn(page, godwit)
    const scopes = { auditScope: 'own', folderScope: 'own' }
    for (let at = 10; at < 65; at++) await call(page, 'POST', 'roles', { name: `Many ${at}`, rights: [], ...scopes })
    await page.goto('/admin/roles?text=Many+64')
    await page.getByRole('link', { name: 'Many 64' }).click()
    await expect(page.locator('input[name=name]')).toHaveValue('Many 64')
    await page.goto('/admin/roles/999999')
    await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  })
})

test('what is typed while a form is being saved stays unsaved, and is asked about', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.goto('/admin/settings/link')
  await page.locator('input[name="links.filesMax"]').fill('500')
  const line = await hold(page, 'PATCH', /^\/api\/admin\/settings$/)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await line.seen
  const password = page.locator('input[name="links.passwordMax"]')
  await password.fill('8')
  line.release()
  await expect(page.getByText(SAVED)).toBeVisible()
  await expect(page.getByText('Changed: Longest link password')).toBeVisible()
  await page.getByRole('link', { name: 'Menu', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await save.click()
  await expect(page.getByText('Changed:')).toHaveCount(0)
  await page.reload()
  await expect(password).toHaveValue('8')
  await password.fill('9')
  await page.getByRole('link', { name: 'Menu', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(password).toHaveCount(0)
})

test('an account that is saved while somebody types on is not somebody else’s change', async ({ page, godwit }) => {
  await signIn(page, godwit)
  const wanted = { account: 'typed_on', password: encodePassword('Tidal-flats-42') }
  const { user } = await call<{ user: { id: string } }>(page, 'POST', 'users', wanted)
  await page.goto(`/admin/users/${user.id}`)
  await page.locator('input[name=name]').fill('Mia')
  const line = await hold(page, 'PATCH', /^\/api\/admin\/users\/[^/]+$/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await line.seen
  await page.locator('input[name=phone]').fill('13900000000')
  line.release()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Unsaved changes: Phone.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('13900000000')
  await expect(drawer).toContainText('Mia')
})

test.describe('rows of a list', () => {
  test.beforeEach(async ({ page, godwit }) => {
    await signIn(page, godwit)
    const { total } = await call<{ total: number }>(page, 'GET', 'users?text=crew_')
    for (let at = total + 10; at < 22; at++) {
      await call(page, 'POST', 'users', { account: `crew_${at}`, password: encodePassword('Tidal-flats-42') })
    }
  })

  test('are not selected under another filter than the one they are for', async ({ page }) => {
    await page.goto('/admin/users?text=crew_')
    const head = page.getByLabel('Select this page')
    await expect(page.getByRole('row')).toHaveCount(11)
    await expect(head).toBeEnabled()
    const line = await hold(page, 'GET', /^\/api\/admin\/users$/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await line.seen
    // Those of before stay in sight; "Select all 12" would mean everybody.
    await expect(page.getByRole('row')).toHaveCount(11)
    await expect(head).toBeDisabled()
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('button', { name: /^Select all/ })).toHaveCount(0)
    line.release()
    await head.check()
    await expect(page.getByRole('button', { name: /^Select all/ })).toHaveText(/1[3-9]$/)
  })

  test('are those of the last page when the address names one that is not there any more', async ({ page }) => {
    await page.goto('/admin/users?text=crew_')
    await expect(page.getByRole('row')).toHaveCount(11)
    await page.goto('/admin/users?text=crew_&page=9')
    await expect(page.getByRole('row')).toHaveCount(3)
    await expect(page).toHaveURL(/[?&]page=2(&|$)/)
    // The wrong address is not gone back to.
    await page.goBack()
    await expect(page.getByRole('row')).toHaveCount(11)
  })

  test('keep to the words that are typed, with the spaces between them', async ({ page }) => {
    await page.goto('/admin/users')
    const field = page.getByRole('searchbox', { name: 'Account, name, e-mail' })
    await field.pressSequentially('crew_10 ')
    await expect(page).toHaveURL(/text=crew_10$/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await field.pressSequentially('north')
    await expect(page).toHaveURL((url) => url.searchParams.get('text') === 'crew_10 north')
    await expect(field).toHaveValue('crew_10 north')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(field).toHaveValue('')
    await expect(page.getByRole('row')).toHaveCount(11)
  })
})

test.describe('a dialog that is closed before the answer', () => {
  test('leaves a message when it failed', async ({ page, godwit }) => {
    await signIn(page, godwit)
    await page.goto('/admin/groups')
    const line = await hold(page, 'POST', /^\/api\/admin\/groups$/)
    await page.getByRole('button', { name: 'Add group' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[name=name]').fill('Coast')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await line.seen
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    line.cut()
    await expect(page.getByText('The server is unavailable')).toBeVisible()
  })

  test('says how many were left as they were', async ({ page, godwit }) => {
    await signIn(page, godwit)
    await call(page, 'POST', 'users', { account: 'left_alone', password: encodePassword('Tidal-flats-42') })
    await page.goto('/admin/users?text=left_alone')
    const line = await hold(page, 'POST', /^\/api\/admin\/users\/lock$/)
    await page.getByRole('button', { name: 'Lock left_alone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
    await line.seen
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    line.answer({ changed: 0, failed: [{ account: 'left_alone', message: 'Not now' }] })
    await expect(page.getByText('1 entry was left as it was:')).toBeVisible()
  })

  test('stays when it makes what is shown only once', async ({ page, godwit }) => {
    await signIn(page, godwit)
    await page.goto('/profile/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[name=name]').fill('Nightly backup')
    await dialog.locator('input[name=password]').fill(godwit.administrator.password)
    const line = await hold(page, 'POST', /^\/api\/user\/api-tokens$/)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await line.seen
    await page.keyboard.press('Escape')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    line.release()
    await expect(page.getByTestId('secret')).toHaveValue(/^gwt_/)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    const revoking = await hold(page, 'POST', /^\/api\/user\/api-tokens\/.+/)
    await page.getByRole('button', { name: 'Revoke Nightly backup' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await revoking.seen
    await page.keyboard.press('Escape')
    revoking.release()
    await expect(page.locator('[role=row]', { hasText: 'Nightly backup' })).toHaveCount(0)
  })
})

test('groups of a directory lead to the groups of the site, whatever page was open before', async ({
  page,
  godwit,
}) => {
  await signIn(page, godwit)
  await call(page, 'POST', 'groups', { name: 'Harbour' })
  await page.goto('/admin/users')
  await expect(page.getByRole('combobox', { name: 'Groups' })).toContainText('Harbour')
  const line = await hold(page, 'GET', /^\/api\/admin\/groups$/)
  await page.getByTestId('side').getByRole('link', { name: 'Authentication' }).click()
  await page.getByRole('button', { name: 'Add directory' }).first().click()
  await line.seen
  await page.getByRole('tab', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Add a group' }).click()
  const target = page.getByLabel('Joins, for directory group 1')
  await expect(target.locator('option')).toHaveCount(1)
  line.release()
  await expect(target.locator('option')).toHaveText([/./, 'Group: Harbour'])
  await target.selectOption('Group: Harbour')
  await expect(target).toHaveValue(/^group:\d+$/)
})

test('an answer to an earlier question does not stand under a later one', async ({ page, godwit }) => {
  await signIn(page, godwit)
  const rules = { forbiddenPaths: ['/secret/**'] }
  const wanted = { account: 'asked_about', password: encodePassword('Tidal-flats-42'), rules }
  const { user } = await call<{ user: { id: string } }>(page, 'POST', 'users', wanted)
  await page.goto(`/admin/users?open=${user.id}`)
  const drawer = page.getByRole('dialog')
  const first = Promise.withResolvers<undefined>()
  const gate = Promise.withResolvers<undefined>()
  await page.route(/\/access\?.*secret/, async (route) => {
    first.resolve(undefined)
    await gate.promise
    await route.continue()
  })
  await drawer.getByLabel('Can they').selectOption('upload a new file')
  await drawer.getByLabel('Path').fill('/secret/plan.pdf')
  await drawer.getByRole('button', { name: 'Check' }).click()
  await first.promise
  await drawer.getByLabel('Path').fill('/plan.pdf')
  await drawer.getByRole('button', { name: 'Check' }).click()
  await expect(drawer).toContainText('The account')
  const late = page.waitForResponse(/\/access\?.*secret/)
  gate.resolve(undefined)
  await (await late).finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expect(drawer).not.toContainText('“/secret/**” of the account covers it')
})

test('a dialog over a list says that somebody else was first, and begins with theirs when it is opened again', async ({
  page,
  godwit,
}) => {
  await signIn(page, godwit)
  const { group } = await call<{ group: { id: number } }>(page, 'POST', 'groups', { name: 'Divers' })
  await page.goto('/admin/groups?text=Divers')
  await page.getByRole('button', { name: 'Edit Divers' }).click()
  await call(page, 'PATCH', `groups/${group.id}`, { revision: 1, name: 'Divers of the coast' })
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=quota]').fill('5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Somebody else changed this meanwhile.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit Divers of the coast' }).click()
  await dialog.locator('input[name=quota]').fill('5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Divers of the coast' })).toContainText(/5(\.0+)? GB/)
})

test('the answer of a dialog that was closed leaves the next one open', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.goto('/admin/groups')
  const line = await hold(page, 'POST', /^\/api\/admin\/groups$/)
  const dialog = page.getByRole('dialog')
  const name = dialog.locator('input[name=name]')
  await page.getByRole('button', { name: 'Add group' }).first().click()
  await name.fill('Low tide')
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await line.seen
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Add group' }).first().click()
  await name.fill('High tide')
  line.release()
  await expect(page.locator('[role=row]', { hasText: 'Low tide' })).toHaveCount(1)
  await expect(name).toHaveValue('High tide')
})

test('a token is made once, however often its button is pressed', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.goto('/admin/authentication/scim')
  const line = await hold(page, 'POST', /scim\/token$/)
  const create = page.getByRole('button', { name: 'Make a token' })
  await create.click()
  await line.seen
  await expect(create).toBeDisabled()
  line.release()
  await expect(page.getByTestId('secret')).not.toHaveValue('')
})

test('a part of a page that cannot be loaded says so, and is there after another try', async ({ page, godwit }) => {
  await signIn(page, godwit)
  const wanted = { account: 'with_parts', password: encodePassword('Tidal-flats-42') }
  const { user } = await call<{ user: { id: string } }>(page, 'POST', 'users', wanted)
  const parts = [
    { at: `/admin/users/${user.id}`, asks: /\/mounts$/, shown: page.getByText('There are none.') },
    {
      at: '/admin/certificates/acme',
      asks: /\/certificates\/settings$/,
      shown: page.getByRole('button', { name: 'Save' }),
    },
    { at: '/admin/backups', asks: /\/backups\/settings$/, shown: page.getByRole('button', { name: 'Save' }) },
  ]
  for (const { at, asks, shown } of parts) {
    const refused = { code: errorSpec('PERMISSION_DENIED').wire, message: '', data: null }
    await page.route(
      (url) => asks.test(url.pathname),
      (route) => route.fulfill({ json: refused }),
      { times: 1 },
    )
    await page.goto(at)
    if (asks.test('/mounts')) await page.getByRole('tab', { name: 'Storage' }).click()
    const failed = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(shown).toBeVisible()
    await expect(failed).toHaveCount(0)
  }
})

test('an import is not left by accident, and says what failed when it is left', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.goto('/admin/users/import')
  const buffer = Buffer.from('Account,Name\nimported_one,One\nimported_two,Two')
  await page.getByTestId('import-file').setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer })
  const leave = page.getByTestId('side').getByRole('link', { name: 'Groups' })
  const question = page.getByRole('alertdialog')
  await page.getByLabel('Name, line 2', { exact: true }).fill('Number one')
  await leave.click()
  await expect(question).toContainText('2 rows are not in yet.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Name, line 2', { exact: true })).toHaveValue('Number one')
  const line = await hold(page, 'POST', /^\/api\/admin\/users\/import$/)
  await page.getByRole('button', { name: 'Add 2 users' }).click()
  await line.seen
  await leave.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/admin\/groups/)
  const failed = { row: 1, account: 'imported_two', result: 'failed', code: 1, message: 'Not now' }
  line.answer({ created: 1, rows: [{ row: 0, account: 'imported_one', result: 'created' }, failed] })
  await expect(page.getByText('1 row of the import has failed.')).toBeVisible()
})
