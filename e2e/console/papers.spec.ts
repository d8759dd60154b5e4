import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchGodwit, run } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, signIn, test } from '../portal/fixtures.ts'
import { operator } from '../portal/operator.ts'

const SLOW = { timeout: 20_000 }

// One walk on one server, because a licence and a certificate hold for the whole site.
test('an administrator installs a license and a certificate, and each fault is said at its field', async ({
  browser,
  computer,
}) => {
  const issuer = await launchGodwit()
  const key = join(computer, 'issuer.pem')
  const file = join(computer, 'pro.licence')
  const printed = await operator(issuer, 'licence', 'key', '--key-file', key)
  const issuerKey = /=(MCow\S+)/.exec(printed)?.[1] ?? ''
  const wanted = ['--edition', 'pro', '--holder', 'Example Ltd', '--days', '20', '--users', '50']
  const issued = await operator(issuer, 'licence', 'issue', '--key-file', key, ...wanted, '--out', file)
  const code = /code: (\w+)/.exec(issued)?.[1] ?? ''
  await issuer.stop()
  const godwit = await launchGodwit({ env: { GODWIT_LICENCE_ISSUER_KEY: issuerKey } })
  try {
    const page = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
    await signIn(page, godwit)
    await installLicence(page, { file, code })
    await meetLimits(page)
    await useCertificates(page, computer)
    await orderCertificates(page)
  } finally {
    await godwit.stop()
  }
})

async function installLicence(page: Page, { file, code }: { readonly file: string; readonly code: string }) {
  await page.goto('/admin/licence')
  await expect(page.getByText('No license is installed.')).toBeVisible(SLOW)
  const install = page.getByRole('button', { name: 'Install', exact: true })
  const text = page.getByLabel('License file')
  const activation = page.getByLabel('Activation code')
  await text.fill((await readFile(file, 'utf8')).replace('eyJ2', 'eyJ3'))
  await activation.fill('ABC')
  await install.click()
  await expect(page.getByText('An activation code has 13, 16 or 20 letters or digits.')).toBeVisible()
  await activation.fill(code)
  await install.click()
  await expect(page.getByText('was changed afterwards')).toBeVisible()
  await page.getByTestId('file-file').setInputFiles(file)
  await activation.fill('')
  await install.click()
  await expect(page.getByText('A license (Pro, Example Ltd) is waiting for its activation code.')).toBeVisible(SLOW)
  await activation.fill(code)
  await install.click()
  await expect(page.getByText('The license ends in 19 days.')).toBeVisible(SLOW)
  await expect(page.getByText('0 of 50')).toBeVisible()
  await expectNoBarriers(page)
}

/** The pro edition lacks them: each place says so, at 416 px, and what was made before can be read. */
async function meetLimits(page: Page) {
  const limit = page.getByTestId('limit')
  await page.goto('/admin/hooks')
  await expect(limit).toContainText('“Event hooks” needs the enterprise edition', SLOW)
  expect((await limit.boundingBox())?.width).toBe(416)
  await page.getByRole('button', { name: 'Show what was made before' }).click()
  await expect(page.getByText('You can see and remove what was made before, but add nothing new.')).toBeVisible(SLOW)
  await expect(page.getByRole('heading', { level: 1, name: 'Event hooks' })).toBeVisible(SLOW)
  for (const [place, missing] of [
    ['/admin/security', 'Address lists'],
    ['/admin/settings/more', 'Watermarks'],
    ['/admin/settings/transfer', 'Sync'],
    ['/admin/spaces/1/rules', 'Allowed and denied addresses'],
    ['/admin/groups', 'Groups'],
  ] as const) {
    await page.goto(place)
    await expect(limit.filter({ hasText: `“${missing}” needs the enterprise edition` })).toBeVisible(SLOW)
    await expectNoBarriers(page)
  }
  await page.goto('/admin/security')
  await expect(page.getByLabel('Weak passwords that nobody may choose')).toBeVisible(SLOW)
  await expect(page.getByLabel('Addresses that may reach the site')).toHaveCount(0)
}

async function useCertificates(page: Page, computer: string) {
  const make = (name: string) =>
    run([
      'openssl',
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '90', '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=DNS:${name}`],
      ...['-keyout', join(computer, `${name}.key`), '-out', join(computer, `${name}.pem`)],
    ])
  await make('files.example.org')
  await make('other.example.org')
  await page.goto('/admin/certificates')
  await expect(page.getByText('No certificate yet')).toBeVisible(SLOW)
  const use = page.getByRole('button', { name: 'Put in use' })
  await page.getByTestId('file-certificate').setInputFiles(join(computer, 'files.example.org.pem'))
  await page.getByTestId('file-key').setInputFiles(join(computer, 'other.example.org.key'))
  await use.click()
  await expect(page.getByText('The certificate and the key do not belong together.')).toBeVisible(SLOW)
  await page.getByTestId('file-key').setInputFiles(join(computer, 'files.example.org.key'))
  await use.click()
  await expect(page.getByText('The certificate is self-signed.')).toBeVisible(SLOW)
  await expect(page.getByText('CN=files.example.org').first()).toBeVisible()
  await expect(page.getByLabel('Private key (PEM)')).toHaveValue('')
  await page.getByRole('button', { name: 'Create self-signed' }).click()
  await page.getByRole('dialog').getByLabel('Names').fill('a.example.org, not a name!')
  await page.getByRole('button', { name: 'Create and use' }).click()
  await expect(page.getByRole('dialog').getByText('“not a name!” is neither a host name nor an address.')).toBeVisible(
    SLOW,
  )
  await page.getByRole('dialog').getByLabel('Names').fill('a.example.org, 192.0.2.7')
  await page.getByRole('button', { name: 'Create and use' }).click()
  await expect(page.getByRole('table').getByText('files.example.org')).toBeVisible(SLOW)
  await expectNoBarriers(page)
}

async function orderCertificates(page: Page) {
  await page.getByRole('link', { name: 'Automatic certificate' }).click()
  await expect(page.getByText('None yet')).toBeVisible(SLOW)
  const save = page.getByRole('button', { name: 'Save' })
  await page.getByRole('checkbox', { name: 'Order and renew the certificate automatically' }).click()
  await save.click()
  await expect(page.getByText('Name at least one host')).toBeVisible(SLOW)
  await page.getByLabel('Host names of the certificate').fill('files.example.org')
  // Nobody listens there, and nothing inside the house is asked.
  await page.getByLabel('Directory of the authority').fill('https://127.0.0.1:9/directory')
  await page.getByRole('checkbox', { name: 'The terms of the authority are accepted' }).click()
  await save.click()
  await expect(page.getByText('The directory is an address inside the house.')).toBeVisible({ timeout: 45_000 })
  await expect(page.getByText('The certificate in use stays.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Order now' })).toBeVisible()
  await expectNoBarriers(page)
}
