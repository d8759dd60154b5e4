import type { Locator, Page } from '@playwright/test'

export class SignInPage {
  readonly account: Locator
  readonly password: Locator
  readonly submit: Locator
  readonly failure: Locator
  readonly card: Locator
  readonly forgot: Locator
  readonly passkey: Locator
  /** Of the e-mail code, or of the second step. */
  readonly code: Locator
  readonly recoveryCode: Locator
  readonly codeDialog: Locator

  constructor(page: Page) {
    this.account = page.locator('input[name=username]')
    this.password = page.locator('input[name=password]')
    this.submit = page.locator('button[type=submit]')
    this.failure = page.getByRole('alert')
    // The page's own: what the server drew goes when that is there.
    this.card = page.locator('#root section[aria-labelledby=card-title]')
    this.forgot = page.locator('a[href="/forgot-password"]')
    this.passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
    this.code = page.locator('input[name=code]')
    this.recoveryCode = page.locator('input[name=recovery]')
    this.codeDialog = page.getByRole('dialog')
  }

  async signIn(account: string, password: string): Promise<void> {
    await this.account.fill(account)
    await this.password.fill(password)
    await this.password.press('Enter')
  }
}
