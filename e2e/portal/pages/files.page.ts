import { type Locator, type Page, expect } from '@playwright/test'
import { UploadPanel } from './upload-panel.ts'

export class FilesPage {
  readonly page: Page
  readonly grid: Locator
  readonly toolbar: Locator
  readonly uploads: UploadPanel
  folder = '/'

  constructor(page: Page) {
    this.page = page
    this.grid = page.getByTestId('file-grid')
    this.toolbar = page.getByTestId('toolbar')
    this.uploads = new UploadPanel(page)
  }

  async goto(folder: string): Promise<void> {
    this.folder = folder
    await this.page.goto(`/personal?path=${encodeURIComponent(folder)}`)
    await expect(this.toolbar).toBeVisible()
  }

  row(name: string): Locator {
    return this.grid.getByRole('row').filter({ has: this.page.locator(`[title=${JSON.stringify(name)}]`) })
  }

  /** Names on the screen, in their order, read in one moment: a row that leaves meanwhile would be waited for. */
  async names(): Promise<readonly string[]> {
    const named = await this.grid.locator('[data-row]').evaluateAll((rows) =>
      rows.map((row) => ({
        at: Number(row.getAttribute('data-row')),
        name: row.querySelector('[title][draggable]')?.getAttribute('title') ?? '',
      })),
    )
    return named.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
  }

  /** Chooses files by the upload button. */
  async choose(paths: readonly string[]): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.toolbar.locator('[data-action=upload-files]').click(),
    ])
    await chooser.setFiles([...paths])
  }

  /** Drops files and folders of this computer onto the list, as a person does with the mouse. */
  async drop(paths: readonly string[]): Promise<void> {
    const box = await this.page.getByTestId('drop-zone').boundingBox()
    if (box === null) throw new Error('no place to drop')
    const cdp = await this.page.context().newCDPSession(this.page)
    const at = { x: box.x + box.width / 2, y: box.y + box.height - 40 }
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
    }
    await cdp.detach()
  }
}
