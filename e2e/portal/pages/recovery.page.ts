import type { Locator, Page } from '@playwright/test'

/** /forgot-password and /reset-password. */
export class RecoveryPage {
  readonly email: Locator
  readonly code: Locator
  readonly old: Locator
  readonly password: Locator
  readonly repeat: Locator
  readonly submit: Locator
  readonly failure: Locator
  /** The step that is shown, of the three of a recovery. */
  readonly step: Locator

  constructor(page: Page) {
    this.email = page.locator('input[name=email]')
    this.code = page.locator('input[name=code]')
    this.old = page.locator('input[name=old]')
    this.password = page.locator('input[name=password]')
    this.repeat = page.locator('input[name=repeat]')
    this.submit = page.locator('button[type=submit]')
    this.failure = page.getByRole('alert')
    this.step = page.locator('[aria-current=step]')
  }

  async choose(password: string, repeat = password): Promise<void> {
    await this.password.fill(password)
    await this.repeat.fill(repeat)
    await this.submit.click()
  }
}
