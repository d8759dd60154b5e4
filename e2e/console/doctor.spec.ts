import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, startSession, test } from '../portal/fixtures.ts'

test('an administrator runs the checks and reads what mends what they found', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.goto('/admin/doctor')
  await expect(page.getByRole('heading', { name: 'Not checked yet' })).toBeVisible()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await expect(page.locator('[data-check=database]')).toHaveAttribute('data-state', 'ok')
  await expect(page.locator('[data-check=database] p')).toHaveText(/^Answers, schema up to date: \S/)
  await expect(page.locator('[data-check=data] p')).toHaveText(/^\/\S+ can be written$/)
  await expect(page.locator('[data-check=address]').first()).toContainText('GODWIT_PUBLIC_URL')
  for (const way of ['body', 'socket', 'answers', 'protocol'])
    await expect(page.locator(`[data-check=${way}]`)).toHaveAttribute('data-state', 'ok')
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoBarriers(page)
  }
  await test.step('a proxy that limits bodies and refuses sockets is found out', async () => {
    await page.route('**/api/admin/server/probe', (route) => route.fulfill({ status: 413 }))
    await page.getByRole('button', { name: 'Run again' }).click()
    await expect(page.locator('[data-check=body]')).toContainText('client_max_body_size 0;')
    await expectNoBarriers(page)
  })
  await test.step('a proxy that holds answers back is found out, with the lines for each kind', async () => {
    await page.route('**/api/admin/server/pace', async (route) => route.fulfill({ response: await route.fetch() }))
    await page.getByRole('button', { name: 'Run again' }).click()
    const answers = page.locator('[data-check=answers]')
    for (const line of ['proxy_buffering off;', 'flush_interval -1', 'flushInterval: 1ms'])
      await expect(answers).toContainText(line)
    await expectNoBarriers(page)
    await page.unroute('**/api/admin/server/pace')
  })
  await test.step('a run can be called off', async () => {
    await page.route('**/api/admin/server/doctor', () => new Promise(() => undefined))
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible()
  })
})
