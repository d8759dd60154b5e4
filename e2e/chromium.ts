import type { LaunchOptions } from '@playwright/test'

/** Chromium of the system, or the headless build of it, which needs a third less time. */
export function chromium(build: 'chromium' | 'chromium-headless-shell'): LaunchOptions {
  return {
    executablePath: process.env['E2E_CHROMIUM'] ?? `/usr/bin/${build}`,
    // Without a locale of UTF-8 Chromium opens no file with a Chinese name.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // The sandbox needs a user other than root; the rest keeps Chromium from calling its maker's services.
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  }
}
