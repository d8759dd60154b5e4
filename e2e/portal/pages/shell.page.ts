import type { Locator, Page } from '@playwright/test'

/** What stands around every page: header, menu, bar. */
export class ShellPage {
  readonly page: Page
  readonly menu: Locator
  readonly entries: Locator
  readonly space: Locator
  readonly bell: Locator
  readonly account: Locator
  readonly transfers: Locator
  readonly bar: Locator
  readonly denied: Locator
  readonly limit: Locator

  constructor(page: Page) {
    this.page = page
    this.menu = page.getByTestId('side')
    this.entries = page.locator('a[data-menu]')
    this.space = page.getByTestId('space')
    this.bell = page.getByTestId('bell')
    this.account = page.getByTestId('account')
    this.transfers = page.getByTestId('transfers')
    this.bar = page.getByTestId('client-bar')
    this.denied = page.getByTestId('denied')
    this.limit = page.getByTestId('limit')
  }

  /** Names of the entries of the menu, in their order. */
  async names(): Promise<readonly string[]> {
    return this.entries.evaluateAll((all) => all.map((entry) => (entry as HTMLElement).dataset['menu'] ?? ''))
  }

  button(name: string): Locator {
    return this.page.getByRole('banner').getByRole('button', { name })
  }
}
