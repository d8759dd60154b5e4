import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUSY_MS } from '../testing/busy-machine.ts'
import { doors, STRANGE_ID, TUS } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

const GROUP = 1
const PLACE = { groupId: GROUP }
/** A change of another process is seen by requests within this time. */
const SEEN_MS = 1_100

describe('a group', () => {
  let site: Site
  let mei: Login
  let tom: Login
  let eve: Login

  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom', 'eve']) await site.addUser(account)
    await site.cli('group add Design --quota 1M')
    for (const account of ['mei', 'tom']) {
      await site.cli(`group member --group ${GROUP} --account ${account}`)
    }
    mei = await site.signIn('mei')
    tom = await site.signIn('tom')
    eve = await site.signIn('eve')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const upload = async (token: string, filename: string, content: Buffer) => {
    const json = { ...PLACE, folder: '/', filename, size: content.length, conflict: 'replace', resume: false }
    const created = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
    if (created.code !== 200) return created
    const address = `/api/uploads/${String(created.data['uploadId'])}`
    const part = await site.ask({ method: 'PUT', path: `${address}/parts/0`, token, body: content })
    return part.code === 200 ? site.ask({ method: 'POST', path: `${address}/complete`, token, json: {} }) : part
  }
  const names = async (token: string) => {
    const { data } = await site.call(token, 'list', { ...PLACE, folder: '/' })
    return (data['items'] as unknown as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
  }
  const content = (token: string, name: string) =>
    site.ask({ path: `/api/files/content?path=/${name}&groupId=${GROUP}`, token })
  const groupsOf = async (token: string) => (await site.ask({ path: '/api/group/list', token })).data['groups']
  const usedBytes = async (token: string) => {
    const { data } = await site.ask({ path: '/api/user/info', token })
    return (data['user'] as unknown as { readonly usedBytes: number }).usedBytes
  }

  it('is shown to its members with their permission there, its quota and its own transfer settings', async () => {
    expect(await site.cli(`settings set transIgnoreReg *.tmp --group ${GROUP}`)).toBe(0)
    expect(await site.cli('settings set transIgnoreReg *.bak --account mei')).toBe(0)
    await sleep(SEEN_MS)
    const group = { groupId: GROUP, groupName: 'Design', userHomeSize: 2 ** 20, usedBytes: 0, transIgnoreReg: '*.tmp' }
    const [shown] = (await groupsOf(mei.token)) as unknown as Array<Record<string, number>>
    expect(shown).toMatchObject(group)
    // Everything but move (256) and copy (512).
    expect(shown?.['userGroupPermission']).toBe(8191 - 256 - 512)
    const { user } = (await site.ask({ path: '/api/user/info', token: mei.token })).data as unknown as {
      readonly user: object
    }
    expect(user).toMatchObject({ transIgnoreReg: '*.bak', groupList: [group] })
    expect(await groupsOf(eve.token)).toEqual([])
    expect((await site.ask({ path: '/api/group/list?spaceId=2', token: mei.token })).code).toBe(4084)
  })

  it('keeps what one member uploads for the other, by parts, tus, pack and socket, apart from the personal files', async () => {
    expect((await upload(mei.token, 'plan.txt', Buffer.from('the plan'))).code).toBe(200)
    const metadata = Buffer.from('tus.txt').toString('base64')
    const creation = {
      ...TUS,
      'upload-length': '3',
      'upload-metadata': `filename ${metadata},groupId ${Buffer.from('1').toString('base64')}`,
    }
    const created = await site.ask({ method: 'POST', path: '/files/uploads', token: mei.token, headers: creation })
    const location = new URL(String(created.headers['location']), site.url).pathname
    const chunk = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const patch = { method: 'PATCH', path: location, token: mei.token, headers: chunk, body: Buffer.from('tus') }
    expect((await site.ask(patch)).status).toBe(204)
    const socket = await signedInSocket(site.url, tom.token)
    const input = { ...PLACE, folder: '/', name: 'folder' }
    expect((await socket.ask({ type: 'call', operation: 'mkdir', input })).code).toBe(200)
    socket.socket.terminate()
    expect(await names(tom.token)).toEqual(['folder', 'plan.txt', 'tus.txt'])
    expect((await content(tom.token, 'plan.txt')).text).toBe('the plan')
    expect((await site.call(tom.token, 'list', { folder: '/' })).data['items']).toEqual([])
    expect(fs.readFileSync(path.join(site.data, `files/groups/${GROUP}/plan.txt`), 'utf8')).toBe('the plan')
  })

  it('books bytes to itself, within its quota, also those in its bin', async () => {
    const before = await usedBytes(mei.token)
    const used = async () =>
      ((await groupsOf(tom.token)) as unknown as Array<{ readonly usedBytes: number }>)[0]?.usedBytes
    expect(await used()).toBe(11)
    expect((await upload(mei.token, 'big.bin', Buffer.alloc(2 ** 20))).code).toBe(5210)
    expect((await upload(mei.token, 'half.bin', Buffer.alloc(2 ** 19))).code).toBe(200)
    expect(await usedBytes(mei.token)).toBe(before)
    const removed = await site.call(mei.token, 'remove', { ...PLACE, paths: ['/half.bin'] })
    const recycleIds = removed.data['recycleIds']
    expect(await used()).toBe(11 + 2 ** 19)
    expect((await site.call(mei.token, 'recycled', PLACE)).data['items']).toMatchObject([{ path: '/half.bin' }])
    expect((await site.call(mei.token, 'recycled', {})).data['items']).toEqual([])
    expect((await site.call(tom.token, 'restore', { ...PLACE, recycleIds })).code).toBe(5117)
    expect((await site.call(mei.token, 'restore', { ...PLACE, recycleIds })).code).toBe(200)
    expect(await names(tom.token)).toContain('half.bin')
    await site.call(mei.token, 'remove', { ...PLACE, paths: ['/half.bin'] })
    expect((await site.call(mei.token, 'purge', { ...PLACE, recycleIds: 'all' })).code).toBe(200)
    expect(await used()).toBe(11)
  })

  it('lets nobody do more than the membership says, whatever the account may', async () => {
    expect((await site.call(mei.token, 'copy', { ...PLACE, paths: ['/plan.txt'], target: '/folder' })).code).toBe(1008)
    expect(
      (await site.call(mei.token, 'rename', { ...PLACE, path: '/', oldName: 'tus.txt', newName: 'b.txt' })).code,
    ).toBe(200)
    expect(await site.cli(`group member --group ${GROUP} --account tom --permission list`)).toBe(0)
    expect((await content(tom.token, 'plan.txt')).code).toBe(1008)
    expect((await upload(tom.token, 'x', Buffer.from('x'))).code).toBe(1008)
    expect(await site.cli(`group member --group ${GROUP} --account tom --permission list,download,upload`)).toBe(0)
    expect((await content(tom.token, 'plan.txt')).text).toBe('the plan')
  })

  it('answers everyone else at every door as a group that does not exist (6040)', async () => {
    const wrong: string[] = []
    let tried = 0
    for (const { name, question } of doors()) {
      const isFile = /^(files|uploads\.create|downloads\.ticket)/.test(name)
      // What is named by an id of its own says that there is none; lists of one's own name no group.
      if (!isFile || !('json' in question) || /job|cancel|undo|favorites$|recent$|viewed/i.test(name)) continue
      const answers = await Promise.all(
        [GROUP, 77].map((groupId) =>
          site.ask({ ...question, token: eve.token, json: { ...(question.json as object), groupId } }),
        ),
      )
      tried++
      for (const { code, text } of answers) if (code !== 6040) wrong.push(`${name}: ${text}`)
      const [real, none] = answers.map(({ text }) => text.replaceAll(/"requestId":"[^"]*"/g, ''))
      if (real !== none) wrong.push(`${name}: ${real} is not ${none}`)
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(12)
    expect((await content(eve.token, 'plan.txt')).code).toBe(6040)
    const metadata = `filename ${Buffer.from('f').toString('base64')},groupId ${Buffer.from('1').toString('base64')}`
    const headers = { ...TUS, 'upload-length': '1', 'upload-metadata': metadata }
    const tus = await site.ask({ method: 'POST', path: '/files/uploads', token: eve.token, headers })
    expect(tus.headers['location']).toBeUndefined()
    const pack = { method: 'POST', path: `/api/uploads/pack?folder=%2F&groupId=${GROUP}`, body: Buffer.from('x') }
    expect((await site.ask({ ...pack, token: eve.token })).code).not.toBe(200)
    const socket = await signedInSocket(site.url, eve.token)
    expect((await socket.ask({ type: 'watch', spaceId: 1, groupId: GROUP, folder: '/' })).code).toBe(6040)
    const call = { type: 'call', operation: 'list', input: { ...PLACE, folder: '/' } }
    expect((await socket.ask(call)).code).toBe(6040)
    socket.socket.terminate()
    expect((await site.call(eve.token, 'purge', { ...PLACE, recycleIds: [STRANGE_ID] })).code).toBe(6040)
  })

  it('forbids each member what another one renamed, moved or restored, too (ACCESS, rule 3)', async () => {
    expect(await site.cli('group add Rules')).toBe(0)
    const group = await site.withDatabase(({ db }) =>
      db.selectFrom('user_groups').select('id').where('name', '=', 'Rules').executeTakeFirstOrThrow(),
    )
    const place = { groupId: group.id }
    for (const account of ['mei', 'tom']) await site.cli(`group member --group ${group.id} --account ${account}`)
    const rules = { forbiddenPaths: ['/pay', '/offers/*/draft'], allowedPaths: ['/pay', '/offers', '/plans', '/ideas'] }
    const text = JSON.stringify({ ...rules, uploadNewOnly: false, deniedTypes: [], allowedTypes: [] })
    const ruleTom = (file_rules: string | null) =>
      site.withDatabase(async ({ db }) => {
        await db.updateTable('users').set({ file_rules }).where('account', '=', 'tom').execute()
      })
    await ruleTom(text)
    const tree = path.join(site.data, `files/groups/${group.id}`)
    for (const folder of ['pay', 'plans', 'offers/may/draft']) {
      fs.mkdirSync(path.join(tree, folder), { recursive: true })
      fs.writeFileSync(path.join(tree, folder, 'a.txt'), 'a')
    }
    await sleep(SEEN_MS)
    const seen = async (folder: string): Promise<readonly string[]> => {
      const { data } = await site.call(tom.token, 'list', { ...place, folder })
      return ((data['items'] ?? []) as unknown as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
    }
    expect(await seen('/')).toEqual(['offers', 'plans'])

    const rename = (folder: string, oldName: string, newName: string) =>
      site.call(mei.token, 'rename', { ...place, path: folder, oldName, newName })
    expect((await rename('/', 'pay', 'ideas')).code).toBe(200)
    expect((await rename('/', 'plans', 'drafts')).code).toBe(200)
    expect((await rename('/offers/may', 'draft', 'text')).code).toBe(200)
    // What was hidden stays hidden, also under a name that is allowed; nobody is let into a path by what others rename.
    expect([await seen('/'), await seen('/offers/may')]).toEqual([['offers'], []])
    expect((await rename('/', 'drafts', 'plans')).code).toBe(200)

    const removed = await site.runJob(mei.token, 'remove', { ...place, paths: ['/offers/may'] })
    expect(removed.job?.state).toBe('completed')
    const { data } = await site.call(mei.token, 'recycled', place)
    const [item] = data['items'] as unknown as ReadonlyArray<{ readonly recycleId: string }>
    const restore = { ...place, recycleIds: [item?.recycleId], target: '/plans' }
    expect((await site.runJob(mei.token, 'restore', restore)).job?.state).toBe('completed')
    expect([await seen('/plans'), await seen('/plans/may')]).toEqual([['may', 'a.txt'], []])
    await ruleTom(null)
    for (const account of ['mei', 'tom'])
      await site.cli(`group member --group ${group.id} --account ${account} --remove`)
    await sleep(SEEN_MS)
  })

  it('is shut at the next step to whoever is no longer a member: tickets, uploads, watches, running downloads (T18)', async () => {
    const big = path.join(site.data, `files/groups/${GROUP}/big.bin`)
    fs.writeFileSync(big, '')
    fs.truncateSync(big, 2 ** 32)
    const json = { ...PLACE, folder: '/', filename: 'slow', size: 10 }
    const begun = await site.ask({ method: 'POST', path: '/api/uploads', token: tom.token, json })
    const { uploadId, grant } = begun.data as unknown as { readonly uploadId: string; readonly grant: string }
    const ticket = await site.call(tom.token, 'download', { ...PLACE, paths: ['/plan.txt'] })
    const socket = await signedInSocket(site.url, tom.token)
    expect((await socket.ask({ type: 'watch', spaceId: 1, groupId: GROUP, folder: '/' })).code).toBe(200)
    const address = `${site.url}/api/files/content?path=/big.bin&groupId=${GROUP}`
    const request = http.get(address, { headers: { authorization: `Bearer ${tom.token}` } })
    const [running] = (await once(request, 'response')) as [http.IncomingMessage]
    expect(running.statusCode).toBe(200)
    const download = endOf(running)

    expect(await site.cli(`group member --group ${GROUP} --account tom --remove`)).toBe(0)
    const removedAt = performance.now()
    const put = { method: 'PUT', path: `/api/uploads/${uploadId}/parts/0`, body: Buffer.alloc(10) }
    expect((await site.ask({ ...put, token: grant })).code).toBe(6040)
    expect((await site.ask({ path: `/api/files/content?ticket=${String(ticket.data['ticket'])}` })).code).toBe(6040)
    expect((await site.call(tom.token, 'list', { ...PLACE, folder: '/' })).code).toBe(6040)
    expect(await groupsOf(tom.token)).toEqual([])
    const events = socket.events.length
    expect((await upload(mei.token, 'unseen.txt', Buffer.from('unseen'))).code).toBe(200)
    const endedAt = await download
    expect(running.complete).toBe(false)
    expect(endedAt - removedAt).toBeLessThan(5_000 + BUSY_MS)
    const changes = socket.events.slice(events).filter((event) => JSON.stringify(event).includes('folder.changed'))
    expect(changes).toEqual([])
    socket.socket.terminate()
  })

  it('ends with the membership of its space', async () => {
    expect(await site.cli('space assign --space 1 --account mei --remove')).toBe(0)
    await sleep(SEEN_MS)
    expect((await site.call(mei.token, 'list', { ...PLACE, folder: '/' })).code).toBe(4084)
  })

  it('is managed by the command, which says what is wrong', async () => {
    expect(await site.cli('group list')).toBe(0)
    expect(site.printed()).toContain('Design')
    expect(await site.cli(`group list --group ${GROUP} --json`)).toBe(0)
    for (const words of ['add DESIGN', 'add Lab --space 99', 'remove 1', 'change --group 99 --name X']) {
      expect(await site.cli(`group ${words}`), words).toBe(5)
    }
    expect(await site.cli(`group member --group ${GROUP} --account stranger`)).toBe(4)
    for (const words of [
      'add X --quota many',
      'remove one',
      `member --group ${GROUP} --account eve --permission fly`,
    ]) {
      expect(await site.cli(`group ${words}`), words).toBe(2)
    }
    expect(await site.cli(`group change --group ${GROUP} --name Studio --quota 0`)).toBe(0)
    expect(await site.cli(`group member --group ${GROUP} --account mei --remove`)).toBe(0)
    expect(await site.cli(`group remove ${GROUP}`)).toBe(0)
  })
})

/** Reads a body of gigabytes at 64 KiB every 20 ms. @returns when the server ended it, as performance.now() has it */
function endOf(response: http.IncomingMessage): Promise<number> {
  return new Promise((resolve) => {
    response.on('data', () => {
      response.pause()
      setTimeout(() => response.resume(), 20)
    })
    response.once('error', () => resolve(performance.now()))
    response.once('close', () => resolve(performance.now()))
  })
}
