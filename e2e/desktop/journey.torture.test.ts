import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminTransfers } from '@godwit/contract/table/admin-transfers'
import { signIn } from '@godwit/sdk'
import { type Godwit, launchGodwit } from '@godwit/testkit'
import { type Browser, chromium, expect as expectPage, type Locator, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Direction } from '../../apps/client/src/testing/bad-days.ts'
import { parseCell } from '../../bench/src/wan/cells.ts'
import { makeKey } from '../../scripts/packaging/release.ts'
import { LightPackages } from '../../scripts/packaging/testing/light-packages.ts'
import { chromium as optionsOf } from '../chromium.ts'
import { installDialog } from '../portal/desktop-client.ts'
import { MiB } from '../portal/large-files.ts'
import { addPerson, type Person } from '../portal/operator.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'
import { BadLine } from './bad-line.ts'
import { DesktopSession, toolsOf } from './desktop-session.ts'
import { hashesIn, makeFootage } from './footage.ts'

const BYTES = Number(process.env['JOURNEY_GB'] ?? 5) * 1e9
const LINE = parseCell('100:50:2')
const LINE_BYTES = (LINE.rateMbit * 1e6) / 8
/** What the administrator allows for a while. */
const ALLOWED_MBIT = 20
const ALLOWED_BYTES = (ALLOWED_MBIT * 1e6) / 8
/** Packets of one transfer take a little more of the line than its limit says, and the page of the person is on the same line. */
const ALLOWANCE = 1.2
const EFFECTIVE_MS = 1_000
const WATCHED_MS = 6_000
/** Pages of the computer go over the line as well. */
const RESTING_BYTES = 40_000
/** What is on its way when a transfer is paused or loses its network. */
const MOST_AGAIN_MIB = 16
/** Losses, headers and acknowledgements, as a share of the files. */
const MOST_ON_LINE = 1.15

const PATIENT = { timeout: 120_000 }
const UNTIL_DONE = { timeout: 3_000_000 }
const see = expectPage.configure(PATIENT)
const NAME = 'footage'
const ROLE = { up: 'upload', down: 'download' } as const

describe('a person with a folder of 5 GB behind a bad line', () => {
  const things = new AsyncDisposableStack()
  let folder: string
  let godwit: Godwit
  let line: BadLine
  let session: DesktopSession
  let person: Person
  let hashes: ReadonlyMap<string, string>
  /** Not on the desktop: the computer of the administrator, and a phone. */
  let elsewhere: Browser
  let portal: Page
  let administrator: Page
  let phone: Page
  let api: Awaited<ReturnType<typeof signIn>>['api']

  const footage = (): string => join(folder, 'desk', NAME)
  const downloads = (): string => join(folder, 'downloads')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'godwit-journey-'))
    things.defer(() => rm(folder, { recursive: true, force: true }))
    await makeFootage(footage(), BYTES)
    hashes = await hashesIn(footage())
    const key = join(folder, 'key.pem')
    const makers = things.use(await LightPackages.open([await makeKey(key)]))
    await makers.make({ out: join(folder, 'data/clients'), version: '1.0.0', keyFile: key })
    line = things.use(await BadLine.open(folder, LINE))
    godwit = await launchGodwit({ data: join(folder, 'data'), env: { GODWIT_HOST: line.network.serverHost } })
    things.defer(() => godwit.stop())
    ;({ api } = await signIn({ server: godwit.url, ...godwit.administrator }))
    person = await addPerson(godwit)
    await installDialog(toolsOf(folder), footage())
    session = things.use(await DesktopSession.open(folder, line.network.computer))
    elsewhere = await chromium.launch(optionsOf('chromium-headless-shell'))
    things.defer(() => elsewhere.close())
    administrator = await (await elsewhere.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
    const inHand = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
    phone = await (await elsewhere.newContext({ baseURL: godwit.url, locale: 'en-US', ...inHand })).newPage()
  }, 1_200_000)
  afterAll(async () => {
    await session.run(program(), 'stop').catch(() => undefined)
    await things.disposeAsync()
  }, 300_000)

  const program = (): string => join(folder, 'installed/godwit-client/godwit-client')

  it('installs the client from the page, and lets it in there', async () => {
    await session.openPage(`${godwit.url}/personal`)
    const [context] = (await session.browser()).contexts()
    const page = context?.pages()[0]
    if (context === undefined || page === undefined) throw new Error('a browser without windows')
    portal = page
    await new SignInPage(portal).signIn(person.account, person.password)
    await portal.getByTestId('client-bar').getByRole('button', { name: 'How to start it' }).click(PATIENT)
    const start = portal.getByRole('dialog')
    const [saved] = await Promise.all([
      portal.waitForEvent('download', PATIENT),
      start.getByRole('button', { name: 'Linux .tgz' }).click(),
    ])
    const file = join(folder, saved.suggestedFilename())
    await saved.saveAs(file)
    await mkdir(join(folder, 'installed'))
    await session.run('tar', '-xzf', file, '-C', join(folder, 'installed'))

    await session.run(program(), 'folders', 'downloads', downloads())
    await session.run(program(), 'start')
    const opened = context.waitForEvent('page', PATIENT)
    await session.choose(await session.nextItem(), 'Open')
    const client = await opened
    await client.getByLabel('Address of the server').fill(godwit.url)
    await client.getByRole('button', { name: 'Sign in' }).click()
    const [confirming] = await Promise.all([
      context.waitForEvent('page', PATIENT),
      client.getByRole('link', { name: 'Confirm in the browser' }).click(PATIENT),
    ])
    const question = confirming.getByRole('dialog', { name: 'A device wants to sign in' })
    await question.locator('input[name=password]').fill(person.password, PATIENT)
    await question.getByRole('button', { name: 'Allow' }).click()
    await see(question).toBeHidden()
    await confirming.close()
    await see(client.getByText('Connected')).toBeVisible()
    await see(start).toBeHidden()
  })

  it('brings it up: paused, slowed down by the administrator, moved to another network, and seen as done on a phone', async () => {
    await portal.bringToFront()
    await portal.goto(`${godwit.url}/personal?path=/`)
    await see(portal.getByTestId('toolbar').locator('[data-action=client-upload-files]')).toBeVisible()
    await portal.keyboard.press('Alt+Shift+U')
    await travel('up')
    expect(await hashesIn(join(godwit.data, 'files/users', person.account, NAME))).toEqual(hashes)
  })

  it('brings it down into an empty folder, over the same obstacles', async () => {
    expect((await transferOf('up')).state).toBe('completed')
    await rm(footage(), { recursive: true })
    await portal.goto(`${godwit.url}/personal?path=/`)
    const row = portal.getByTestId('file-grid').getByRole('row').filter({ hasText: NAME })
    await row.getByRole('gridcell').nth(2).click(PATIENT)
    // A page that is left earlier takes what it asked for with it.
    const handOver = async (): Promise<boolean> => {
      const answered = portal.waitForResponse((answer) => answer.url().endsWith('/client/download'), PATIENT)
      await portal.getByTestId('toolbar').locator('[data-action=client-download]').click(PATIENT)
      return (await answered).ok()
    }
    // Until the client has missed its server in the new network, the page says that it does not answer.
    await expect.poll(handOver, { timeout: 120_000, interval: 3_000 }).toBe(true)
    await travel('down')
    expect(await hashesIn(join(downloads(), NAME))).toEqual(hashes)
  })

  /** Follows the transfer that begins now to its end. */
  async function travel(direction: Direction): Promise<void> {
    const begunAt = performance.now()
    const before = await line.bytes(direction)
    await portal.goto(`${godwit.url}/transfers?direction=${ROLE[direction]}`)
    const row = portal.getByRole('row').filter({ hasText: NAME })
    await untilShare(direction, 0.1)
    await pause(direction, row)
    await untilShare(direction, 0.3)
    const effectiveMs = await slowDown(direction, row)
    await untilShare(direction, 0.6)
    await line.network.moveTo(direction === 'up' ? 'office' : 'home')
    const standstillMs = await untilMoving(direction)
    await see(row).toContainText('Completed', UNTIL_DONE)
    const seconds = Math.round((performance.now() - begunAt) / 1000)
    await seeOnPhone(direction)
    const { bytes, bytesMoved, failures } = await transferOf(direction)
    const onLine = ((await line.bytes(direction)).given - before.given) / BYTES
    const againMiB = (bytesMoved - BYTES) / MiB
    process.stdout.write(
      `${JSON.stringify({ direction, bytes, files: hashes.size, seconds, effectiveMs, standstillMs, againMiB, onLine })}\n`,
    )
    expect([bytes, failures]).toEqual([BYTES, 0])
    expect(againMiB).toBeLessThanOrEqual(2 * MOST_AGAIN_MIB)
    expect(onLine).toBeLessThan(MOST_ON_LINE + (2 * MOST_AGAIN_MIB * MiB) / BYTES)
  }

  async function pause(direction: Direction, row: Locator): Promise<void> {
    await row.getByRole('button', { name: `Pause ${NAME}` }).click(PATIENT)
    await see(row).toContainText('Paused')
    await expect.poll(() => rate(direction), PATIENT).toBeLessThan(RESTING_BYTES)
    await row.getByRole('button', { name: `Resume ${NAME}` }).click()
    await see(row).toContainText('Running')
    await expect.poll(() => rate(direction), PATIENT).toBeGreaterThan(LINE_BYTES / 2)
  }

  /** @returns after how long nothing went faster than was allowed */
  async function slowDown(direction: Direction, row: Locator): Promise<number> {
    await allow(ALLOWED_MBIT)
    const watched = await line.watch(direction, WATCHED_MS)
    const effectiveMs = watched.slowerFrom(ALLOWANCE * ALLOWED_BYTES)
    const share = watched.rate(EFFECTIVE_MS) / ALLOWED_BYTES
    expect(effectiveMs, String(watched)).toBeLessThan(EFFECTIVE_MS)
    expect(share, String(watched)).toBeLessThan(ALLOWANCE)
    expect(share, String(watched)).toBeGreaterThan(0.5)
    await expect.poll(() => shownRate(row), PATIENT).toBeLessThan(ALLOWANCE * ALLOWED_BYTES)
    await allow(0)
    await expect.poll(() => rate(direction), PATIENT).toBeGreaterThan(LINE_BYTES / 2)
    return Math.round(effectiveMs)
  }

  /** As the administrator, in the console. */
  async function allow(megabits: number): Promise<void> {
    await administrator.goto('/admin/transfers')
    const card = new SignInPage(administrator)
    const row = administrator.getByRole('row').filter({ hasText: NAME })
    await see(row.or(card.account)).toBeVisible()
    if (await card.account.isVisible()) await card.signIn(godwit.administrator.account, godwit.administrator.password)
    await row.getByRole('link', { name: NAME }).click(PATIENT)
    await administrator.getByRole('dialog').getByRole('button', { name: 'Speed' }).click()
    const limit = administrator.getByRole('dialog', { name: `Speed of “${NAME}”` })
    await limit.getByLabel('Speed limit in Mbps').fill(String(megabits))
    await limit.getByRole('button', { name: 'Save' }).click()
    await see(limit).toBeHidden()
  }

  async function seeOnPhone(direction: Direction): Promise<void> {
    await phone.goto(`/transfers?direction=${ROLE[direction]}`)
    const card = new SignInPage(phone)
    const row = phone.getByTestId('transfer-list').getByRole('row').filter({ hasText: NAME })
    await see(row.or(card.account)).toBeVisible()
    if (await card.account.isVisible()) {
      await card.account.fill(person.account)
      await card.password.fill(person.password)
      await card.submit.tap()
    }
    await see(row).toContainText('Completed')
  }

  /** Of what has not begun, nothing. */
  async function transferOf(direction: Direction) {
    for (const view of ['live', 'past'] as const) {
      const query = { page: 1, size: 10, text: '', view, direction: ROLE[direction] }
      const [found] = (await api.call(adminTransfers.list, { query })).rows
      if (found !== undefined) return found
    }
    return { state: 'none', bytes: 0, bytesDone: 0, bytesMoved: 0, failures: 0 }
  }

  async function untilShare(direction: Direction, share: number): Promise<void> {
    await expect.poll(async () => (await transferOf(direction)).bytesDone, UNTIL_DONE).toBeGreaterThan(share * BYTES)
  }

  /** @returns how long the line stood still */
  async function untilMoving(direction: Direction): Promise<number> {
    const [{ brought }, since] = [await line.bytes(direction), performance.now()]
    await expect.poll(async () => (await line.bytes(direction)).brought, PATIENT).toBeGreaterThan(brought + 2 * MiB)
    return Math.round(performance.now() - since)
  }

  /** Bytes a second, now. */
  async function rate(direction: Direction): Promise<number> {
    return (await line.watch(direction, 1_000)).rate()
  }
})

/** Bytes a second that the page says. */
async function shownRate(row: Locator): Promise<number> {
  const [, figure, unit] = /([\d.]+) ([KMG]?)B\/s/.exec(await row.innerText()) ?? []
  return Number(figure) * { '': 1, K: 1e3, M: 1e6, G: 1e9 }[unit as '' | 'K' | 'M' | 'G']
}
