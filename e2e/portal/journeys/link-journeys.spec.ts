import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { expectNoBarriers, openView, type View } from '../barriers.ts'
import { signIn } from '../fixtures.ts'
import { codeTo, expect, test } from '../mail-house.ts'
import { addPerson, operator } from '../operator.ts'
import { FilesPage } from '../pages/files.page.ts'
import { type Words, wordsOf } from './words.ts'

/** What people do with links, from the dialog to the mailbox of a stranger: once in `npm test`, in each language in the matrix. */

const isMatrix = process.env['E2E_MATRIX'] === '1'
const LOCALES: ReadonlyArray<View['locale']> = isMatrix ? ['en-US', 'zh-CN'] : ['en-US']
const MIB = 1024 ** 2
/** Of the file that goes to a client: the matrix sends what people send, 3 GiB. */
const FILM_MIB = isMatrix ? 3 * 1024 : 48
/** The same on a slow disk, and with other tests beside it. */
const FILM_MS = isMatrix ? 30 * 60_000 : 300_000

interface Desk {
  readonly page: Page
  readonly words: Words
  readonly files: FilesPage
}

async function deskOf(browser: Browser, url: string, locale: View['locale'], width: View['width']): Promise<Desk> {
  const phone = width === 390 ? { hasTouch: true, isMobile: true } : {}
  const context = await openView(browser, { locale, theme: 'light', width }, url, phone)
  const page = await context.newPage()
  return { page, words: await wordsOf(locale), files: new FilesPage(page) }
}

/** Opens the dialog of a new link, without a password. */
async function linkDialog({ page, words, files }: Desk, action: 'share' | 'invite'): Promise<Locator> {
  await files.toolbar.locator(`[data-action=${action}]`).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(words('links.password-switch')).uncheck()
  return dialog
}

async function mailTo({ words }: Desk, dialog: Locator, addresses: readonly string[]): Promise<void> {
  await dialog.getByText(words('links.section.mail')).click()
  const field = dialog.getByLabel(words('links.emails')).first()
  await field.fill(`${addresses.join(' ')} `)
  await field.press('Enter')
}

async function create({ page, words }: Desk, dialog: Locator): Promise<string> {
  await dialog.getByRole('button', { name: words('links.create') }).click()
  const address = (await page.getByTestId('link-address').textContent()) ?? ''
  await page.keyboard.press('Escape')
  return new URL(address).pathname
}

function personalPath(text: string | undefined): string {
  return /\/share\/[0-9a-f]{32}#to=[0-9a-f]{32}/.exec(text ?? '')?.[0] ?? ''
}

/** Writes a file that no compression makes shorter. @returns its SHA-256 */
async function shoot(path: string): Promise<string> {
  const hash = createHash('sha256')
  const piece = randomBytes(MIB)
  await using file = await open(path, 'w')
  for (let at = 0; at < FILM_MIB; at++) {
    // No two pieces alike, so that none can stand for another.
    piece.writeUInt32BE(at)
    hash.update(piece)
    await file.write(piece)
  }
  return hash.digest('hex')
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: MIB })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

for (const locale of LOCALES) {
  test(`a freelancer sends a film to a client who has a phone (${locale})`, async ({
    browser,
    house: { godwit, smtp },
  }, info) => {
    test.setTimeout(FILM_MS)
    const mei = await addPerson(godwit)
    const desk = await deskOf(browser, godwit.url, locale, 1400)
    await signIn(desk.page, { url: godwit.url, administrator: mei })
    const film = info.outputPath('film.mov')
    const sum = await shoot(film)
    await desk.files.choose([film])
    await desk.files.row('film.mov').click()
    const client = `client-${mei.account}@example.org`
    const dialog = await linkDialog(desk, 'share')
    await mailTo(desk, dialog, [client])
    await create(desk, dialog)

    const { parsed } = await smtp.mailTo(client)
    const phone = await deskOf(browser, godwit.url, locale, 390)
    await phone.page.goto(personalPath(parsed.text))
    await expect(phone.page.getByRole('heading', { level: 1, name: 'film.mov' })).toBeVisible()
    await expectNoBarriers(phone.page)
    const [download] = await Promise.all([
      phone.page.waitForEvent('download'),
      phone.page.getByRole('button', { name: phone.words('share.download'), exact: true }).tap(),
    ])
    const saved = await download.path()
    expect(await sumOf(saved)).toBe(sum)
    info.annotations.push({ type: 'film', description: `${FILM_MIB} MiB arrived, SHA-256 ${sum}` })

    await desk.page.goto('/link/share')
    await desk.page.getByRole('button', { name: 'film.mov' }).first().click()
    const row = desk.page.getByTestId('link-recipients').getByRole('listitem').filter({ hasText: client })
    await expect(row).toContainText(desk.words('links.recipient.opened'), { timeout: 20_000 })
    await expect(row).toContainText(desk.words('links.recipient.done').split('{')[0]?.trim() ?? '', { timeout: 20_000 })
    await phone.page.context().close()
    await desk.page.context().close()
    await rm(film)
  })

  // One piece: the list is made, filled by five suppliers, and looked at by its owner.
  test(`a buyer asks five suppliers for drawings and chases the missing one (${locale})`, async ({
    browser,
    house: { godwit, smtp },
  }, info) => {
    const mei = await addPerson(godwit)
    const desk = await deskOf(browser, godwit.url, locale, 1400)
    const { page, words } = desk
    await signIn(page, { url: godwit.url, administrator: mei })
    const suppliers = [1, 2, 3, 4, 5].map((number) => `supplier${number}-${mei.account}@example.org`)
    const dialog = await linkDialog(desk, 'invite')
    await mailTo(desk, dialog, suppliers)
    await dialog.getByText(words('links.section.request')).click()
    await askFor(desk, dialog, { number: 1, name: 'Floor plans', types: 'dwg', count: '2' })
    await askFor(desk, dialog, { number: 2, name: 'Price list', types: 'xlsx, csv', count: '1' })
    await dialog.getByLabel(words('links.request.insist')).check()
    await expectNoBarriers(page)
    await create(desk, dialog)

    // Four of them answer at once.
    for (const supplier of suppliers.slice(0, 4)) {
      const path = personalPath((await smtp.mailTo(supplier)).parsed.text)
      await bring(godwit.url, path, ['ground.dwg', 'first.dwg', 'prices.csv'])
    }
    await page.goto('/link/invite')
    await page.getByRole('row').nth(1).getByRole('button').first().click()
    const list = page.getByTestId('link-recipients')
    const missing = words('links.recipient.missing').split('{')[0] ?? ''
    const last = suppliers[4] ?? ''
    await expect(list.getByRole('listitem').filter({ hasText: missing })).toHaveCount(1, { timeout: 20_000 })
    await expect(list.getByRole('listitem').filter({ hasText: last })).toContainText('Floor plans, Price list')
    await expect(page.getByTestId('link-requested')).toContainText('Floor plans')
    await expectNoBarriers(page)
    await list.getByRole('button').first().click()

    // The reminder leads the fifth to the same list.
    const { parsed } = await smtp.mailTo(last, 2)
    const phone = await deskOf(browser, godwit.url, locale, 390)
    await phone.page.goto(personalPath(parsed.text))
    const request = phone.page.getByTestId('request')
    await expect(request.locator('[data-state=missing]')).toHaveCount(2)
    await expectNoBarriers(phone.page)
    await choose(phone, info.outputPath(), ['holiday.jpg'])
    await expect(phone.page.getByTestId('invite-uploads')).toContainText('holiday.jpg')
    await expect(phone.page.getByTestId('invite-uploads')).toContainText(REFUSED[locale])
    await choose(phone, info.outputPath(), ['ground.dwg', 'first.dwg'])
    await expect(phone.page.getByTestId('still-missing')).toContainText('Price list')
    await expect(phone.page.getByTestId('receipt')).toBeHidden()
    await choose(phone, info.outputPath(), ['prices.csv'])
    await expect(phone.page.getByTestId('receipt')).toBeVisible({ timeout: 15_000 })
    await expect(request.locator('[data-state=arrived]')).toHaveCount(2)
    await expectNoBarriers(phone.page)
    await expect(list.getByRole('listitem').filter({ hasText: missing })).toHaveCount(0, { timeout: 20_000 })
    await phone.page.context().close()
    await page.context().close()
  })

  test(`an owner leaves the company while downloads run (${locale})`, async ({ browser, house: { godwit } }, info) => {
    const mei = await addPerson(godwit)
    const desk = await deskOf(browser, godwit.url, locale, 1400)
    await signIn(desk.page, { url: godwit.url, administrator: mei })
    const data = info.outputPath('data.bin')
    await writeFile(data, Buffer.alloc(64 * MIB, 7))
    await desk.files.choose([data])
    await desk.files.row('data.bin').click()
    const dialog = await linkDialog(desk, 'share')
    const path = await create(desk, dialog)
    await expect(desk.page.getByRole('dialog')).toBeHidden()

    // Somebody takes it slowly, for half a minute; a plain program, so that the test sees whether it is cut.
    const running = await fetch(`${godwit.url}${path}`)
    const reader = running.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await operator(godwit, 'user', 'lock', '--account', mei.account)
    await expect(async () => {
      for (;;) {
        if ((await reader?.read())?.done !== false) throw new Error('it came to its end')
        await sleep(30)
      }
    }).rejects.toThrow(/terminated|aborted|ECONNRESET|other side closed/)
    const phone = await deskOf(browser, godwit.url, locale, 390)
    await phone.page.goto(path)
    await expect(phone.page.getByRole('heading', { level: 1 })).toHaveText(phone.words('share.closed.ended.title'))
    await phone.page.context().close()
    await desk.page.context().close()
  })

  test(`a link is forwarded to a stranger (${locale})`, async ({ browser, house: { godwit, smtp } }, info) => {
    const mei = await addPerson(godwit)
    const desk = await deskOf(browser, godwit.url, locale, 1400)
    await signIn(desk.page, { url: godwit.url, administrator: mei })
    const plan = info.outputPath('plan.txt')
    await writeFile(plan, 'not for strangers')
    await desk.files.choose([plan])
    await desk.files.row('plan.txt').click()
    const client = `client-${mei.account}@example.org`
    const dialog = await linkDialog(desk, 'share')
    await mailTo(desk, dialog, [client])
    await dialog.getByLabel(desk.words('links.only-recipients')).check()
    await create(desk, dialog)
    const path = personalPath((await smtp.mailTo(client)).parsed.text)

    // The client forwards the mail. What opens it asks for a code, and the code goes to the client.
    const stranger = await deskOf(browser, godwit.url, locale, 390)
    await stranger.page.goto(path)
    await expect(stranger.page.getByRole('heading', { name: stranger.words('share.code.title') })).toBeVisible()
    await expect(stranger.page.getByText('plan.txt')).toHaveCount(0)
    await stranger.page.getByRole('button').filter({ hasText: 'c…@example.org' }).tap()
    const code = await codeTo(smtp, client, 2)
    const field = stranger.page.getByLabel(stranger.words('share.code.code'), { exact: true })
    await field.fill(code === '000000' ? '111111' : '000000')
    await field.press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    const curl = await fetch(`${godwit.url}${path.split('#')[0] ?? ''}`)
    expect([curl.status, (await curl.text()).includes('plan')]).toEqual([403, false])

    const own = await deskOf(browser, godwit.url, locale, 390)
    await own.page.goto(path)
    await own.page.getByRole('button', { name: own.words('share.code.have') }).tap()
    await own.page.getByLabel(own.words('share.code.code'), { exact: true }).fill(code)
    await own.page.getByLabel(own.words('share.code.code'), { exact: true }).press('Enter')
    await expect(own.page.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
    for (const { page } of [stranger, own, desk]) await page.context().close()
  })
}

interface Asked {
  readonly number: number
  readonly name: string
  readonly types: string
  readonly count: string
}

const REFUSED = { 'en-US': 'A file of another type is asked for', 'zh-CN': '此名称所需的是其他类型的文件' } as const

async function askFor({ words }: Desk, dialog: Locator, { number, name, types, count }: Asked): Promise<void> {
  await dialog.getByRole('button', { name: words('links.request.add') }).click()
  const item = dialog.getByRole('group', { name: words('links.request.item').replace('{number}', String(number)) })
  await item.getByLabel(words('links.request.name')).fill(name)
  await item.getByLabel(words('links.request.count'), { exact: true }).fill(count)
  await item.getByText(words('links.request.rules')).click()
  await item.getByLabel(words('links.request.types')).fill(types)
}

/** Chooses files on the page of an invite link. */
async function choose({ page, words }: Desk, folder: string, names: readonly string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: words('share.invite.files'), exact: true }).tap(),
  ])
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, `content of ${path}`)
  await chooser.setFiles(paths)
}

/** What a guest does who is in a hurry: the protocol of the page, without the page. */
async function bring(url: string, path: string, names: readonly string[]): Promise<void> {
  const [, linkId = '', to = ''] = /\/share\/([0-9a-f]+)#to=([0-9a-f]+)/.exec(path) ?? []
  const call = async (method: string, route: string, token: string, body: string | Uint8Array) => {
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
    const headers = { 'content-type': type, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${url}${route}`, { method, headers, body: Buffer.from(body) })
    const { code, data } = (await answer.json()) as { code: number; data: Record<string, string> }
    expect(code, route).toBe(200)
    return data
  }
  const person = JSON.stringify({ url: linkId, person: { to } })
  const { token = '' } = await call('POST', '/api/share/link/verify/url', '', person)
  for (const name of names) {
    const content = Buffer.from(`content of ${name}`)
    const wanted = JSON.stringify({ folder: '/', filename: name, size: content.length })
    const { uploadId = '' } = await call('POST', '/api/uploads', token, wanted)
    await call('PUT', `/api/uploads/${uploadId}/parts/0`, token, content)
    await call('POST', `/api/uploads/${uploadId}/complete`, token, '{}')
  }
}
