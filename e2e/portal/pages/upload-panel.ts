import { type Locator, type Page, expect } from '@playwright/test'

export class UploadPanel {
  readonly panel: Locator
  readonly rows: Locator
  readonly ghosts: Locator
  readonly summary: Locator

  constructor(page: Page) {
    this.panel = page.getByTestId('upload-panel')
    this.rows = this.panel.getByTestId('upload-row')
    this.ghosts = this.panel.getByTestId('upload-ghost')
    this.summary = this.panel.getByTestId('upload-summary')
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name })
  }

  async toSettle(states: readonly string[], timeout = 120_000): Promise<void> {
    await expect
      .poll(() => this.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state'))), { timeout })
      .toEqual(states)
  }
}
