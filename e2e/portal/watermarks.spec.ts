import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pdfOf, pngOf } from '@godwit/testkit'
import { expect, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'

const test = withOwnServer()

test('while previews carry a mark, a document is shown as pages from the server, and other files say why not', async ({
  files,
  page,
  godwit,
}) => {
  const folder = `${files.folder}/box`
  const home = join(godwit.data, 'files/users', godwit.administrator.account, folder)
  mkdirSync(home, { recursive: true })
  for (const [name, bytes] of Object.entries({
    'a.pdf': pdfOf('Confidential'),
    'b.png': pngOf(900, 600),
    'c.txt': 'secret',
  }))
    writeFileSync(join(home, name), bytes)
  await operator(godwit, 'settings', 'set', 'watermark.on', '1')
  await files.goto(folder)
  await files.row('a.pdf').getByRole('gridcell').nth(2).dblclick()
  const shown = page.getByRole('img', { name: 'Page 1 of 1' })
  await expect(shown).toHaveJSProperty('naturalWidth', 2048)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('img', { name: 'b.png' })).toHaveJSProperty('naturalWidth', 900)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Previews carry a watermark here')).toBeVisible()
})
