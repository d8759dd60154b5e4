import fs from 'node:fs'
import path from 'node:path'
import { ERRORS, type ErrorName } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TransferSite } from './testing/transfer-site.ts'

const GROUP = 1
/** A running server follows what the command line changes. */
const SOON = { timeout: 10_000, interval: 250 }

describe('a folder that is kept in sync', () => {
  let site: TransferSite
  let token = ''
  const run = async (words: string): Promise<void> => expect(await site.cli(words), words).toBe(0)
  const mayDo = (permission: string): Promise<void> =>
    run(`group member --group ${GROUP} --account mei --permission ${permission}`)
  /** How tickets of both directions and the order of a page are answered. */
  const answers = async (): Promise<readonly string[]> => {
    const place = { groupId: GROUP, isSync: true }
    const order = { groupId: GROUP, folder: '/' }
    const calls = [
      ['transfers/upload', { ...place, folder: '/' }],
      ['transfers/download', { ...place, paths: ['/plan', '/film'] }],
      ['user/client/sync', order],
      ['user/client/sync', { ...order, direction: 'download' }],
    ] as const
    return Promise.all(calls.map(async ([route, body]) => nameOf((await site.post(route, body, token)).code)))
  }

  beforeAll(async () => {
    site = await TransferSite.open({})
    await run('group add Team')
    token = await site.signInNew('mei')
    await mayDo('list,upload,mkdir,download,hotFolder')
    const library = path.join(site.data, `files/groups/${GROUP}`)
    fs.mkdirSync(path.join(library, 'film'), { recursive: true })
    fs.writeFileSync(path.join(library, 'plan'), 'plan')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('needs the switch of the group, and not that of the account', async () => {
    await expect.poll(answers, SOON).toEqual(['SYNC_OFF', 'SYNC_OFF', 'SYNC_OFF', 'SYNC_OFF'])
    await run('settings set transSyncSwitch 1 --account mei')
    await expect.poll(answers, SOON).toEqual(['SYNC_OFF', 'SYNC_OFF', 'SYNC_OFF', 'SYNC_OFF'])
    await run(`settings set transSyncSwitch 1 --group ${GROUP}`)
    await expect.poll(answers, SOON).toEqual(['done', 'done', 'CLIENT_NOT_CONNECTED', 'CLIENT_NOT_CONNECTED'])
  })

  it('needs the right to sync folders and that of its direction', async () => {
    await mayDo('list,upload,mkdir,download')
    await expect.poll(answers, SOON).toEqual(Array(4).fill('PERMISSION_DENIED'))
    await mayDo('list,upload,hotFolder')
    await expect.poll(answers, SOON).toEqual(['done', 'PERMISSION_DENIED', 'CLIENT_NOT_CONNECTED', 'PERMISSION_DENIED'])
    await mayDo('list,download,hotFolder')
    await expect.poll(answers, SOON).toEqual(['PERMISSION_DENIED', 'done', 'PERMISSION_DENIED', 'CLIENT_NOT_CONNECTED'])
    // Folders are more than what is in them: their names are seen.
    await mayDo('download,hotFolder')
    await expect.poll(async () => (await answers())[1], SOON).toBe('PERMISSION_DENIED')
  })

  it('is one that is there', async () => {
    await mayDo('list,upload,mkdir,download,hotFolder')
    const paths = ['/nowhere/plan']
    const { code } = await site.post('transfers/download', { groupId: GROUP, isSync: true, paths }, token)
    expect(nameOf(code)).toBe('PATH_NOT_FOUND')
  })
})

function nameOf(code: number | undefined): ErrorName | 'done' {
  const [name] = Object.entries(ERRORS).find(([, { wire }]) => wire === code) ?? []
  return (name as ErrorName | undefined) ?? 'done'
}
