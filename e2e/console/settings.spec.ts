import { type Godwit, pngOf } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// What is set here holds for the whole site.
const test = withOwnServer()

/** A browser of its own, signed in as the super administrator at this address. */
async function enter(browser: Browser, { url, administrator }: Godwit, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await page.goto(path)
  await new SignInPage(page).signIn(administrator.account, administrator.password)
  return page
}

const SAVED = 'The settings are saved and in force.'

// One walk, because each step stands on what the one before it did.
test('an administrator finds, changes, resets and follows settings; two at once see each other', async ({
  browser,
  godwit,
}) => {
  const admin = await enter(browser, godwit, '/admin/settings')
  const save = admin.getByRole('button', { name: 'Save', exact: true })
  await expect(admin.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(admin.locator('input[name=contactEmail]')).toBeVisible()
  await expectNoBarriers(admin)

  // A setting is found by its name in either language, on whatever tab.
  await admin.getByLabel('Find a setting').fill('分享链接 文件')
  await admin.getByRole('link', { name: 'Files in one share link' }).click()
  await expect(admin.locator('input[name="links.filesMax"]')).toBeFocused()

  // The search over the console finds settings of every page.
  await admin.getByRole('button', { name: 'Search the console' }).click()
  await admin.getByRole('combobox', { name: 'Pages, people, places, settings' }).fill('弱密码')
  await admin.getByRole('option', { name: 'Weak passwords that nobody may choose' }).click()
  await expect(admin.locator('input[name="security.weakPasswords"]')).toBeFocused()
  // By its sound, too, as people type who have no Chinese input at hand.
  await admin.getByRole('button', { name: 'Search the console' }).click()
  await admin.getByRole('combobox', { name: 'Pages, people, places, settings' }).fill('ruomima')
  await expect(admin.getByRole('option', { name: 'Weak passwords that nobody may choose' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.goto('/admin/settings/link')

  // What breaks its rule is said at the field, and nothing is sent.
  const files = admin.locator('input[name="links.filesMax"]')
  await files.fill('0')
  await expect(admin.getByText('Enter a whole number from 1 to 100,000.')).toBeVisible()
  await files.fill('500')
  await expect(admin.getByText('Default: 10000')).toBeVisible()
  // A form takes no keys that are the browser's.
  await admin.evaluate(() =>
    addEventListener('keydown', ({ key, defaultPrevented: isTaken }) => {
      document.body.dataset['lastKey'] = `${key} ${isTaken}`
    }),
  )
  await admin.keyboard.press('Control+s')
  await expect(admin.locator('body')).toHaveAttribute('data-last-key', 's false')
  await save.click()
  await expect(admin.getByText(SAVED)).toBeVisible()
  await expectNoBarriers(admin)

  // A second administrator changed the same setting meanwhile.
  const other = await admin.context().newPage()
  await other.goto('/admin/settings/link')
  await expect(other.locator('input[name="links.filesMax"]')).toHaveValue('500')
  await other.locator('input[name="links.filesMax"]').fill('600')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByText(SAVED)).toBeVisible()
  await files.fill('700')
  await save.click()
  await expect(admin.getByRole('dialog')).toContainText('Yours: 700 · theirs: 600')
  await admin.getByRole('button', { name: 'Keep mine' }).click()
  await save.click()
  await other.reload()
  await expect(other.locator('input[name="links.filesMax"]')).toHaveValue('700')

  // Unsaved changes are not lost by a wrong click.
  await admin.locator('input[name="links.passwordMax"]').fill('8')
  await admin.getByRole('link', { name: 'Menu', exact: true }).click()
  await expect(admin.getByRole('alertdialog')).toContainText('Longest link password')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await admin.getByRole('button', { name: 'Cancel' }).click()
  await expect(admin.locator('input[name="links.passwordMax"]')).toHaveValue('6')

  // The preview shows the menu that the portal has after the save.
  await admin.getByRole('link', { name: 'Menu', exact: true }).click()
  const preview = admin.getByRole('region', { name: 'Menu of the portal with these switches' })
  await expect(preview.getByText('Share links')).toBeVisible()
  await admin.getByLabel('Menu: share links').uncheck()
  await expect(preview.getByText('Share links')).toHaveCount(0)
  await save.click()
  await expect(admin.getByText(SAVED).first()).toBeVisible()
  const portal = await admin.context().newPage()
  await portal.goto('/')
  await expect(portal.getByRole('link', { name: 'Invite links' })).toBeVisible()
  await expect(portal.getByRole('link', { name: 'Share links' })).toHaveCount(0)
  await admin.getByRole('button', { name: 'Reset to default: Menu: share links' }).click()
  await expect(preview.getByText('Share links')).toBeVisible()
  await save.click()
  await portal.reload()
  await expect(portal.getByRole('link', { name: 'Share links' })).toBeVisible()

  // Who changed what, from what to what.
  await admin.goto('/admin/settings/history?text=links.filesMax')
  const newest = admin.getByRole('row').nth(1)
  await expect(newest).toContainText('Files in one share link')
  await expect(newest).toContainText(godwit.administrator.account)
  await expect(newest).toContainText('600')
  await expect(newest).toContainText('700')
  await expectNoBarriers(admin)

  // Nobody shuts themselves out, and an address that is none is named where it stands.
  await admin.goto('/admin/security')
  const denied = admin.locator('input[name="security.deniedAddresses"]')
  await denied.fill('10.80.90.[1-300]')
  await save.click()
  await expect(admin.getByText('An address in the list is not valid.')).toBeVisible()
  await denied.fill('127.0.0.0/8; ::1')
  await save.click()
  await expect(admin.getByText('With this list you could not reach the site yourself.')).toBeVisible()
  await expectNoBarriers(admin)
  await denied.fill('10.80.90.[1-100]')
  await save.click()
  await expect(admin.getByText(SAVED).first()).toBeVisible()

  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/settings/transfer')
  await expect(admin.getByLabel('Ways of transfer')).toBeVisible()
  await expectNoBarriers(admin)
})

test('an administrator tries the mail server before it is saved, and sees what it answers', async ({
  browser,
  godwit,
}) => {
  const admin = await enter(browser, godwit, '/admin/mail')
  await expect(admin.getByRole('heading', { level: 1, name: 'E-mail' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.locator('input[name=from]').fill('Harbor')
  await admin.locator('input[name=account]').fill('sender@example.org')
  await admin.locator('input[name=password]').fill('anything')
  // An address inside the house, which the operator did not allow.
  await admin.locator('input[name=host]').fill('127.0.0.1')
  await admin.getByRole('button', { name: 'Send test e-mail' }).click()
  await expect(admin.getByRole('alert')).toContainText('The test e-mail could not be sent.')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText('E-mail settings saved')).toBeVisible()
  await admin.reload()
  await expect(admin.locator('input[name=host]')).toHaveValue('127.0.0.1')
  await expect(admin.locator('input[name=password]')).toHaveValue('')
  await expectNoBarriers(admin)
})

test('what a mail says is changed in the console, with the mail beside it', async ({ browser, godwit }) => {
  const admin = await enter(browser, godwit, '/admin/mail/templates')
  await admin.getByLabel('Mail', { exact: true }).selectOption('Invitation to an account')
  const preview = admin.getByRole('region', { name: 'Preview' })
  const light = preview.frameLocator('iframe').first()
  await expect(light.getByText('An account has been created for you in Godwit: mei')).toBeVisible()
  const subject = admin.getByRole('textbox', { name: 'Subject, English' })
  await subject.fill('Welcome, {acount}')
  await expect(admin.getByText('This mail has no value for {acount}.')).toBeVisible()
  await subject.fill('Welcome, {account}')
  await expect(preview.getByText('Welcome, mei')).toBeVisible()
  await expectNoBarriers(admin)
  // There is no mail server yet, and the page says so.
  await preview.getByRole('button', { name: 'Send it to me' }).click()
  await expect(preview.getByRole('alert')).toBeVisible()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText(SAVED)).toBeVisible()
  await preview.getByRole('button', { name: 'Chinese' }).click()
  await expect(light.getByText('mei', { exact: false }).first()).toBeVisible()
  await admin.goto('/admin/mail/templates/history')
  await expect(admin.getByRole('row').filter({ hasText: 'Welcome, {account}' })).toBeVisible()
  await expectNoBarriers(admin)
})

test('the design is seen before it is saved, and on the sign-in page after', async ({ browser, godwit }) => {
  const admin = await enter(browser, godwit, '/admin/design')
  const preview = admin.getByRole('region', { name: 'Sign-in page in both languages, light and dark' })
  await expect(preview.getByText('塍鹬').first()).toBeVisible()
  // A space is chosen by its name.
  await expect(admin.locator('select[name="menu.space.spaceId"] option:checked')).toHaveText('Default space')
  await admin.locator('input[name=productNameEN]').fill('Parcel House')
  await expect(preview.getByText('Parcel House')).toHaveCount(2)
  const mails = admin.getByRole('region', { name: 'How e-mails begin' })
  await expect(mails.getByText('Parcel House')).toHaveCount(2)
  await admin.locator('input[name=mailHeaderEN]').fill('Parcel Post')
  await expect(mails.getByText('Parcel Post')).toHaveCount(2)
  await admin.locator('input[name=primaryColor]').fill('yellow')
  await expect(admin.getByText('Enter a color like #FD5C1F.')).toBeVisible()
  await admin.locator('input[name=primaryColor]').fill('#0B6E4F')
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText(SAVED)).toBeVisible()

  // An image is refused where it stands, seen in every preview before it is saved, and then at once on every page.
  const choose = (asset: string, name: string, mimeType: string, buffer: Buffer) =>
    admin.getByTestId(`image-${asset}`).setInputFiles({ name, mimeType, buffer })
  const logo = admin.getByRole('group', { name: 'Logo' })
  await choose('logo', 'logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await expect(logo.getByRole('alert')).toContainText('SVG is not taken')
  await choose('logo', 'logo.png', 'image/png', pngOf(200, 40))
  await expect(logo.getByRole('alert')).toContainText('too many pixels')
  await choose('logo', 'logo.png', 'image/png', pngOf(120, 40))
  await expect(admin.locator('img[src^="data:image/png"]')).toHaveCount(17)
  await expectNoBarriers(admin)
  await admin.locator('input[name=cardTransparency]').fill('61')
  await expect(admin.getByText('Enter a whole number from 0 to 60.')).toBeVisible()
  await admin.locator('input[name=cardTransparency]').fill('40')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByRole('banner').getByTestId('own-logo')).toHaveJSProperty('naturalWidth', 120)
  const visitor = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await visitor.goto('/signin')
  await expect(visitor.getByRole('heading', { level: 1 })).toContainText('Parcel House')
  await expect(visitor.getByTestId('own-logo')).toHaveJSProperty('naturalWidth', 120)
  const card = visitor.getByRole('main').locator('section')
  expect(await card.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/ 0\.6\)$/)

  await logo.getByRole('button', { name: 'Back to the built-in one' }).click()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByRole('banner').getByTestId('own-logo')).toHaveCount(0)
})
