import { readFile } from 'node:fs/promises'
import { expect, test } from '../portal/mail-house.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

test.use({ locale: 'en-US' })

/** The matrix has a thousand. */
const ROWS = process.env['E2E_MATRIX'] === undefined ? 200 : 1000
const BAD = 37
const BAD_EVERY = Math.floor(ROWS / BAD)
const GOOD = ROWS - BAD

test('of many rows the bad ones are named, put right or saved as a file, and the others are added', async ({
  page: admin,
  house: { godwit, smtp },
}) => {
  test.slow(ROWS > 200, 'each account costs a tenth of a second of a processor')
  await admin.goto('/admin/users/import')
  await new SignInPage(admin).signIn(godwit.administrator.account, godwit.administrator.password)
  const bad = new Set(Array.from({ length: BAD }, (_, at) => BAD_EVERY * (at + 1)))
  const prefix = `many_${process.pid}`
  const lines = Array.from({ length: ROWS }, (_, at) => {
    return `${prefix}_${at},Person ${at},${bad.has(at) ? 'no address' : `p${at}@example.org`}`
  })
  const buffer = Buffer.from(['Account,Name,Email', ...lines].join('\n'))
  await admin.getByTestId('import-file').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
  const show = (name: string) => admin.getByRole('button', { name, exact: true })
  await show('Check').click()
  await show(`Failed ${BAD}`).click()
  await expect(show(`Ready ${GOOD}`)).toBeVisible()
  // The file has its names on the first line, and rows are counted from 0 here.
  const cell = admin.getByLabel(`E-mail, line ${BAD_EVERY + 2}`, { exact: true })
  await expect(cell).toHaveAttribute('aria-invalid', 'true')
  await expect(admin.getByRole('row').filter({ has: cell })).toContainText(/e-?mail/i)
  await cell.clear()
  await cell.pressSequentially(`p${BAD_EVERY}@example.org`)
  await expect(cell).toHaveValue(`p${BAD_EVERY}@example.org`)
  await expect(show(`Failed ${BAD - 1}`)).toBeVisible()
  await show(`Add ${GOOD + 1} users`).click()
  await show('Stop').click()
  // What was under way when it was stopped is in; the same button goes on with the rest.
  const rest = admin.getByRole('button', { name: /^Add \d+ users$/ })
  await expect(rest).toBeEnabled()
  await rest.click()
  await expect(show(`Added ${GOOD + 1}`)).toBeVisible()
  const [download] = await Promise.all([admin.waitForEvent('download'), show('Save failed rows').click()])
  const failed = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(failed).toHaveLength(BAD)
  expect(failed[1]).toContain(`${prefix}_${2 * BAD_EVERY},`)
  // Each of the others is invited to choose a password.
  await smtp.mailTo('p1@example.org')
})
