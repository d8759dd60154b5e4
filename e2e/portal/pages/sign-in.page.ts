import type { Locator, Page } from '@playwright/test'

export class SignInPage {
  readonly account: Locator
  readonly password: Locator
  readonly submit: Locator
  readonly failure: Locator

  constructor(page: Page) {
    this.account = page.locator('input[name=username]')
    this.password = page.locator('input[name=password]')
    this.submit = page.locator('button[type=submit]')
    this.failure = page.getByRole('alert')
  }

  async signIn(account: string, password: string): Promise<void> {
    await this.account.fill(account)
    await this.password.fill(password)
    await this.password.press('Enter')
  }
}
