import type { Locator, Page } from '@playwright/test'

export class NoticesPage {
  readonly page: Page
  readonly notices: Locator
  readonly unread: Locator
  /** How many are selected. */
  readonly selected: Locator
  readonly pages: Locator
  readonly pageSize: Locator

  constructor(page: Page) {
    this.page = page
    this.notices = page.getByTestId('notices').locator('[data-row]')
    this.unread = page.getByTestId('notices').getByTestId('unread')
    this.selected = page.getByTestId('notices').getByRole('status')
    this.pages = page.getByTestId('pagination')
    this.pageSize = this.pages.getByRole('combobox', { name: 'Per page' })
  }

  /** What stands between the arrows: numbers, and dots for what is left out. */
  async shownPages(): Promise<readonly string[]> {
    const items = await this.pages.getByRole('listitem').allTextContents()
    return items.map((text) => (text === '' ? '…' : text))
  }

  button(name: string): Locator {
    return this.pages.getByRole('button', { name, exact: true })
  }
}
