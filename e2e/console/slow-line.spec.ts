import type { Page } from '@playwright/test'
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

/** As when somebody comes back to the window: the page asks for what it shows again. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
}

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
