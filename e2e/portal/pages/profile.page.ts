import { type Locator, type Page, expect } from '@playwright/test'

type Section = 'info' | 'password' | 'email' | 'security' | 'tokens'

export class ProfilePage {
  readonly page: Page
  readonly menu: Locator
  readonly dialog: Locator
  /** Fields by their name, wherever they stand. */
  readonly field: (name: string) => Locator
  readonly submit: Locator
  readonly failure: Locator

  constructor(page: Page) {
    this.page = page
    this.menu = page.getByRole('navigation', { name: 'Personal center' })
    this.dialog = page.getByRole('dialog')
    this.field = (name) => page.locator(`[name=${name}]:not([hidden])`)
    this.submit = page.locator('button[type=submit]')
    this.failure = page.getByRole('alert')
  }

  async goto(section: Section): Promise<void> {
    await this.page.goto(`/profile/${section}`)
    await expect(this.page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  }

  /** A card of the page by its name. */
  card(name: string): Locator {
    return this.page.getByRole('region', { name })
  }

  /** The rows of a table by its name, without its head. */
  rows(table: string): Locator {
    return this.page.getByRole('table', { name: table }).locator('[data-row]')
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  message(text: string | RegExp): Locator {
    return this.page.getByRole('region', { name: 'Messages' }).getByText(text)
  }
}
