import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'

const report = process.env['E2E_REPORT']

/**
 * A real Chromium, the system's own: Playwright never downloads one. Each test file starts the server it needs on a free port.
 * There is no second try: a test that passes only sometimes is a fault of the product or of the test (ADR 0018).
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../artifacts/e2e/results',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // Only what hangs meets these: a slow machine may take ten times as long as a quick one.
  timeout: 300_000,
  globalTimeout: 58 * 60_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ['html', { open: 'never', outputFolder: '../artifacts/e2e/report' }],
    ...(report === undefined ? [] : [['json', { outputFile: report }] as const]),
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1400, height: 900 },
    locale: 'en-US',
    // The offline worker would stand between the page and a test that answers in the server's place; its own test lets it in.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Recording each step costs a fifth of the whole run: the state at a failure is in the screenshot and the error context.
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    launchOptions: chromium('chromium-headless-shell'),
  },
})
