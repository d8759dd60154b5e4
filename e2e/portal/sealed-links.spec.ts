import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Request } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, startSession, test } from './fixtures.ts'
import { addPerson } from './operator.ts'

const PLAIN = 'Nobody but the two of us may read this. '
const LARGE_BYTES = 40_000_000
const NAME = 'offer for the harbour.txt'

async function ownerOf(
  browser: Browser,
  url: string,
  kind: 'share' | 'invite',
  person: Parameters<typeof startSession>[1],
) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const seen = watch(context)
  const owner = await context.newPage()
  await startSession(owner, person)
  await owner.goto(`/link/${kind}`)
  await owner.getByRole('button', { name: 'New encrypted link' }).click()
  await owner.getByLabel('Ask for a password').uncheck()
  await expectNoBarriers(owner)
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  const address = await owner.getByTestId('guest-address').inputValue()
  expect(await owner.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await expectNoBarriers(owner)
  return { owner, seen, address }
}

/** Everything that a browser sends, as text. */
function watch(context: BrowserContext): string[] {
  const sent: string[] = []
  const note = (request: Request): void => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postDataBuffer()?.toString('latin1') ?? '')
  }
  context.on('request', note)
  return sent
}

async function choose(page: Page, button: string, files: readonly string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles([...files])
}

async function saved(page: Page, name: string): Promise<Buffer> {
  const row = page.getByTestId('sealed-files').getByRole('row').filter({ hasText: name })
  const [download] = await Promise.all([page.waitForEvent('download'), row.locator('[data-action=download]').click()])
  expect(download.suggestedFilename()).toBe(name)
  return readFile(await download.path())
}

/** Sealed files below the data of a server, wherever its storage keeps them. */
async function sealedOnDisk(data: string): Promise<string[]> {
  const names = await readdir(data, { recursive: true })
  return names.filter((name) => name.endsWith('.gwe')).map((name) => join(data, name))
}

// One piece: the same file is sealed, cut, gone on with, opened, and tampered with.
test('an encrypted link keeps its files from the server, through a reload, and notices a changed byte', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const before = new Set(await sealedOnDisk(godwit.data))
  const { owner, seen, address } = await ownerOf(browser, godwit.url, 'share', { url: godwit.url, administrator: mei })
  const key = new URL(address).hash.slice('#s='.length)
  expect(key).toMatch(/^[\w-]{43}$/)
  const file = join(computer, NAME)
  const content = Buffer.alloc(LARGE_BYTES, PLAIN)
  await writeFile(file, content)

  // One part arrives, the others never leave; then the page is gone.
  const part = /\/api\/uploads\/[^/]+\/parts\/(\d+)$/
  let arrived: string | undefined
  await owner.route(part, async (route) => {
    if (arrived !== undefined) return
    arrived = part.exec(route.request().url())?.[1]
    await route.continue()
  })
  const first = owner.waitForResponse((response) => part.test(response.url()))
  await choose(owner, 'Choose files', [file])
  expect((await first).ok()).toBe(true)
  owner.on('dialog', (dialog) => void dialog.accept())
  await owner.reload()
  await owner.unroute(part)
  const again: string[] = []
  owner.on('request', (request) => again.push(...(part.exec(request.url())?.slice(1) ?? [])))
  await choose(owner, 'Choose files', [file])
  await expect(owner.getByTestId('sealed-files').getByRole('row').filter({ hasText: NAME })).toContainText('38.1 MB')
  expect(again.length).toBeGreaterThan(0)
  expect(again).not.toContain(arrived)

  const [stored = ''] = (await sealedOnDisk(godwit.data)).filter((name) => !before.has(name))
  const bytes = await readFile(stored)
  expect(bytes.length).toBeGreaterThan(LARGE_BYTES)
  expect(bytes.includes(PLAIN)).toBe(false)
  expect(bytes.includes('harbour')).toBe(false)
  for (const secret of [key, PLAIN, 'harbour']) expect(seen.filter((text) => text.includes(secret))).toEqual([])

  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } })
  const heard = watch(context)
  const guest = await context.newPage()
  await guest.goto(address)
  expect((await saved(guest, NAME)).equals(content)).toBe(true)
  await expect(guest.getByText('Not scanned: encrypted.')).toBeVisible()
  await expectNoBarriers(guest)
  expect(heard.filter((text) => text.includes(key))).toEqual([])
  await guest.goto(address.split('#')[0] ?? '')
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'The key is missing' })).toBeVisible()

  const { size } = await stat(stored)
  const handle = await open(stored, 'r+')
  await handle.write(Buffer.of(bytes[size - 9_000_000] === 0 ? 1 : 0), 0, 1, size - 9_000_000)
  await handle.close()
  await guest.goto(address)
  await guest.reload()
  const downloads: string[] = []
  guest.on('download', (download) => downloads.push(download.suggestedFilename()))
  await guest.getByTestId('sealed-files').locator('[data-action=download]').click()
  await expect(guest.getByRole('alert')).toContainText('is not what was encrypted')
  expect(downloads).toEqual([])
  expect(await guest.evaluate(filesLeft)).toEqual([])
})

/** Runs in the page. */
async function filesLeft(): Promise<string[]> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('sealed')
  const names: string[] = []
  // The finished download of before may still be there; what broke is not.
  for await (const [name, handle] of folder.entries())
    if (handle.kind === 'file' && (await handle.getFile()).size !== 40_000_000) names.push(name)
  return names
}

test('guests of an encrypted invite link encrypt for its owner, who alone opens what they brought', async ({
  browser,
  godwit,
  computer,
}) => {
  const mei = await addPerson(godwit)
  const before = new Set(await sealedOnDisk(godwit.data))
  const { owner, address } = await ownerOf(browser, godwit.url, 'invite', { url: godwit.url, administrator: mei })
  expect(new URL(address).hash).toMatch(/^#p=[\w-]{43}$/)
  expect(await owner.getByTestId('own-address').inputValue()).toBe(owner.url())
  const file = join(computer, NAME)
  await writeFile(file, PLAIN.repeat(1000))

  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } })
  const sent = watch(context)
  const guest = await context.newPage()
  await guest.goto(address)
  await choose(guest, 'Choose files', [file])
  await expect(guest.getByTestId('receipt')).toContainText('1 file was delivered')
  await expect(guest.getByTestId('invite-uploads')).toContainText(NAME)
  await expectNoBarriers(guest)
  for (const secret of [PLAIN, 'harbour', new URL(address).hash.slice(3)])
    expect(sent.filter((text) => text.includes(secret))).toEqual([])
  const [stored = ''] = (await sealedOnDisk(godwit.data)).filter((name) => !before.has(name))
  expect((await readFile(stored)).includes(PLAIN)).toBe(false)

  await owner.reload()
  expect((await saved(owner, NAME)).toString()).toBe(PLAIN.repeat(1000))
})
