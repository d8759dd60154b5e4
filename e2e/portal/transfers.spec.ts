import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { encodePassword } from '@godwit/contract/passwords'
import { FULL_PERMISSION } from '@godwit/contract/permissions'
import { type Godwit, launch } from '@godwit/testkit'
import { expectNoBarriers } from './barriers.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'

const test = withOwnServer()

const CLIENT = resolve(import.meta.dirname, '../../apps/client/bin/godwit-client.ts')

async function post(godwit: Godwit, path: string, body: object, token = ''): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(new URL(path, godwit.url), { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await response.json()) as { readonly data: Record<string, string> }).data
}

/** For a program of the administrator. */
async function apiToken(godwit: Godwit): Promise<string> {
  const { account, password: text } = godwit.administrator
  const password = encodePassword(text)
  const { token = '' } = await post(godwit, '/api/user/login', { account, password })
  const wanted = { name: 'client', permission: FULL_PERMISSION, days: 1, password }
  return (await post(godwit, '/api/user/api-tokens', wanted, token))['token'] ?? ''
}

test('a transfer of the client is seen, paused, resumed and canceled from the page', async ({ page, godwit }) => {
  await operator(godwit, 'settings', 'set', 'transferType', '0')
  const folder = await mkdtemp(join(tmpdir(), 'godwit-transfers-'))
  await writeFile(join(folder, 'film.mov'), Buffer.alloc(64 * 2 ** 20, 7))
  const env = { GODWIT_CLIENT_HOME: folder, GODWIT_SERVER: godwit.url, GODWIT_TOKEN: await apiToken(godwit) }
  await signIn(page, godwit)
  const words = ['up', join(folder, 'film.mov'), '/', '--rate', '1M', '--json'] as const
  const client = await launch([process.execPath, CLIENT, ...words], {
    env,
    isReady: (output) => output.includes('"event":"path"'),
  })
  await page.getByTestId('transfers').click()
  const list = page.getByTestId('client-transfers')
  await expect(list).toContainText('film.mov')
  await expect(list).toContainText('Upload · Running')
  await expect(list).toContainText(/bit\/s over (UDP|TCP)|B\/s over (UDP|TCP)/)
  await expectNoBarriers(page)
  await list.getByRole('button', { name: 'Pause film.mov' }).click()
  await expect(list).toContainText('Upload · Paused')
  await list.getByRole('button', { name: 'Resume film.mov' }).click()
  await expect(list).toContainText('Upload · Running')
  await list.getByRole('button', { name: 'Cancel film.mov' }).click()
  await expect(list).toContainText('Upload · Canceled')
  expect((await client.ended).code).toBe(1)
  await rm(folder, { recursive: true })
})
