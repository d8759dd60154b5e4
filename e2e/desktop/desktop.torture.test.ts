import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminSettings } from '@godwit/contract/table/admin-settings'
import { createClient, encodePassword } from '@godwit/contract'
import { auth } from '@godwit/contract/table/auth'
import { type Godwit, launch, launchGodwit, run } from '@godwit/testkit'
import { expect as expectPage, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '../../scripts/packaging/release.ts'
import { LightPackages } from '../../scripts/packaging/testing/light-packages.ts'
import { DesktopSession } from './desktop-session.ts'

const PATIENT = { timeout: 60_000 }
const see = expectPage.configure(PATIENT)

describe('a person at a desktop', () => {
  const things = new AsyncDisposableStack()
  let folder: string
  let godwit: Godwit
  let session: DesktopSession
  let item: string
  let client: Page
  let portal: Page

  const program = (): string => join(folder, 'installed/godwit-client/godwit-client')
  const command = (...words: readonly string[]) => session.run(program(), ...words)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'godwit-desktop-'))
    things.defer(() => rm(folder, { recursive: true, force: true }))
    const key = join(folder, 'key.pem')
    const makers = things.use(await LightPackages.open([await makeKey(key)]))
    const first = await makers.make({ out: join(folder, 'first'), version: '1.0.0', keyFile: key })
    await mkdir(join(folder, 'installed'))
    await run(['tar', '-xzf', first, '-C', join(folder, 'installed')])
    await makers.make({ out: join(folder, 'data/clients'), version: '1.1.0', keyFile: key })
    godwit = await launchGodwit({ data: join(folder, 'data') })
    things.defer(() => godwit.stop())
    session = things.use(await DesktopSession.open(folder))
  })
  afterAll(async () => {
    await command('stop').catch(() => undefined)
    await things.disposeAsync()
  })

  it('sees the client in the panel, and its window from the menu', async () => {
    await command('start')
    item = await session.nextItem()
    expect([...(await session.menuOf(item)).keys()]).toEqual(['Open', 'Pause all', 'Quit'])
    await session.choose(item, 'Open')
    await session.window('--name', 'Godwit')
    const [context] = (await session.browser()).contexts()
    if (context === undefined) throw new Error('a browser without windows')
    client = context.pages()[0] ?? (await context.newPage())
    await see(client.getByRole('heading', { level: 1 })).toHaveText('Godwit client')
    await see(client.getByTestId('overall')).toBeVisible()
  })

  it('lets the client in by its code', async () => {
    let address = ''
    const login = await launch([program(), 'login', godwit.url, '--json'], {
      env: session.environment,
      isReady(output) {
        address = /"url":"([^"]+)"/.exec(output)?.[1] ?? ''
        return address !== ''
      },
    })
    portal = await client.context().newPage()
    await portal.goto(address)
    const { account, password } = godwit.administrator
    await portal.locator('input[name=username]').fill(account)
    await portal.locator('input[name=password]').fill(password)
    await portal.locator('button[type=submit]').click()
    const question = portal.getByRole('dialog', { name: 'A device wants to sign in' })
    await question.locator('input[name=password]').fill(password)
    await question.getByRole('button', { name: 'Allow' }).click()
    await see(question).toBeHidden()
    expect((await login.ended).code).toBe(0)
    await see(client.getByText(account)).toBeVisible()
  })

  it('is asked to update an old client, which does and is there again', async () => {
    const api = createClient({ baseUrl: godwit.url, fetch, token: () => token })
    const { account, password } = godwit.administrator
    let token = ''
    ;({ token } = await api.call(auth.login, { body: { account, password: encodePassword(password) } }))
    const changes = [{ key: 'clientUpgradeVersion', from: '1.0.0', value: '1.1.0' }]
    await api.call(adminSettings.edit, { body: { changes } })
    await portal.goto(`${godwit.url}/personal?path=/`)
    const bar = portal.getByTestId('client-bar')
    await see(bar).toContainText('Transfer client 1.1.0 is available. You have 1.0.0.')
    await bar.getByRole('button', { name: 'Update' }).click()
    item = await session.nextItem()
    await see(bar).toBeHidden()
    expect(await command('--version')).toContain('godwit-client 1.1.0')
    const administration = await client.context().newPage()
    await administration.goto(`${godwit.url}/admin/clients`)
    await see(administration.getByRole('row').filter({ hasText: '1.1.0' })).toBeVisible()
    await session.choose(item, 'Quit')
    await see(portal.getByTestId('client-bar')).toHaveAttribute('data-state', 'start')
  })
})
