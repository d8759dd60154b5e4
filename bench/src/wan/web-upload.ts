import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { chromium } from '@playwright/test'

/** `node web-upload.ts URL ACCOUNT PASSWORD-FILE FILE`: what a person does in Chromium, from inside a network namespace. */
const [url = '', account = '', passwordFile = '', file = ''] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: process.env['E2E_CHROMIUM'] ?? '/usr/bin/chromium',
  // The line has no certificate; what the page may do is what it may do with one.
  args: ['--no-sandbox', `--unsafely-treat-insecure-origin-as-secure=${url}`],
})
try {
  const page = await (await browser.newContext({ locale: 'en-US', baseURL: url })).newPage()
  await page.goto('/signin')
  await page.locator('input[name=username]').fill(account)
  await page.locator('input[name=password]').fill(readFileSync(passwordFile, 'utf8'))
  await page.locator('input[name=password]').press('Enter')
  const button = page.getByTestId('toolbar').locator('[data-action=upload-files]')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(file)
  // The row is there once the server has the whole file.
  await page
    .getByTestId('file-grid')
    .locator(`[title=${JSON.stringify(basename(file))}]`)
    .waitFor({ timeout: 0 })
} finally {
  await browser.close()
}
