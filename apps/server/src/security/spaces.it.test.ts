import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { openSocket, signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

const LAB = 2
/** A change of another process is seen by requests within this time. */
const SEEN_MS = 1_100

describe('more than one space', () => {
  let site: Site
  let mei: Login
  let tom: Login

  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom', 'nobody']) await site.addUser(account)
    await site.cli('space add Laboratory')
    await site.cli(`space assign --space ${LAB} --account mei`)
    mei = await site.signIn('mei')
    tom = await site.signIn('tom')
    await site.upload(mei.token, 'first.txt', Buffer.from('in the first space'))
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const list = async (token: string, spaceId: number) =>
    (await site.call(token, 'list', { spaceId, folder: '/' })).data['items'] as unknown as Array<{ name: string }>

  it('is listed by id, name and flag, and the chosen one is remembered', async () => {
    const { data } = await site.ask({ path: '/api/user/space', token: mei.token })
    expect(data['result']).toEqual([
      { id: 1, spaceName: 'Default', isDefault: true },
      { id: LAB, spaceName: 'Laboratory', isDefault: false },
    ])
    const choose = (spaceId: number, token: string) =>
      site.ask({ method: 'PUT', path: '/api/user/space', token, json: { spaceId } })
    expect((await choose(LAB, mei.token)).code).toBe(200)
    expect((await choose(LAB, tom.token)).code).toBe(4084)
    const { token } = await site.signIn('mei')
    const { user } = (await site.ask({ path: `/api/user/info?spaceId=${LAB}`, token })).data as unknown as {
      readonly user: object
    }
    expect(user).toMatchObject({ currentSpaceId: LAB })
    expect((await site.ask({ path: `/api/user/info?spaceId=${LAB}`, token: tom.token })).code).toBe(4084)
  })

  it('keeps the files of each space apart', async () => {
    const json = { spaceId: LAB, folder: '/', filename: 'lab.txt', size: 3, conflict: 'replace', resume: false }
    const created = await site.ask({ method: 'POST', path: '/api/uploads', token: mei.token, json })
    const address = `/api/uploads/${String(created.data['uploadId'])}`
    await site.ask({ method: 'PUT', path: `${address}/parts/0`, token: mei.token, body: Buffer.from('lab') })
    await site.ask({ method: 'POST', path: `${address}/complete`, token: mei.token, json: {} })
    expect((await list(mei.token, LAB)).map(({ name }) => name)).toEqual(['lab.txt'])
    expect((await list(mei.token, 1)).map(({ name }) => name)).toEqual(['first.txt'])
    expect(fs.readFileSync(path.join(site.data, 'files/spaces/2/users/mei/lab.txt'), 'utf8')).toBe('lab')
    const content = await site.ask({ path: `/api/files/content?path=/lab.txt&spaceId=${LAB}`, token: mei.token })
    expect(content.text).toBe('lab')
    expect((await site.ask({ path: '/api/files/content?path=/lab.txt', token: mei.token })).code).toBe(5100)
  })

  it('answers a path that the other space does not have with path-not-exist (5100)', async () => {
    expect((await site.call(mei.token, 'list', { spaceId: LAB, folder: '/only/in/the/first' })).code).toBe(5100)
  })

  it('is shut to everyone else at every door, with 4084 (T04, T27)', async () => {
    const wrong: string[] = []
    let tried = 0
    for (const { name, question } of doors()) {
      if (
        !('json' in question) ||
        !/^(files|uploads\.create|downloads)/.test(name) ||
        /job|cancel|undo|restore|purge|forgetRecent|viewed/.test(name)
      )
        continue
      for (const spaceId of [LAB, 3, 2 ** 31 - 1]) {
        const answer = await site.ask({
          ...question,
          token: tom.token,
          json: { ...(question.json as object), spaceId },
        })
        tried++
        if (answer.code !== 4084) wrong.push(`${name} in ${spaceId}: ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(20)
    const content = await site.ask({ path: `/api/files/content?path=/lab.txt&spaceId=${LAB}`, token: tom.token })
    expect(content.code).toBe(4084)
    const socket = await openSocket(site.url)
    expect((await socket.ask({ type: 'login', token: tom.token, spaceId: LAB })).code).toBe(4084)
    socket.socket.terminate()
    const other = await signedInSocket(site.url, tom.token)
    expect((await other.ask({ type: 'watch', spaceId: LAB, groupId: 0, folder: '/' })).code).toBe(4084)
    other.socket.terminate()
  })

  it('is shut within a second to who is no longer a member, uploads under way and tickets too (T18)', async () => {
    await site.cli(`space assign --space ${LAB} --account tom`)
    await sleep(SEEN_MS)
    const json = { spaceId: LAB, folder: '/', filename: 'slow', size: 10 }
    const begun = await site.ask({ method: 'POST', path: '/api/uploads', token: tom.token, json })
    const { uploadId, grant } = begun.data as unknown as { readonly uploadId: string; readonly grant: string }
    expect(begun.code).toBe(200)
    const put = () =>
      site.ask({ method: 'PUT', path: `/api/uploads/${uploadId}/parts/0`, token: grant, body: Buffer.alloc(10) })
    await site.call(tom.token, 'mkdir', { spaceId: LAB, folder: '/', name: 'mine' })
    const ticket = await site.call(tom.token, 'download', { spaceId: LAB, paths: ['/mine'] })
    await site.cli(`space assign --space ${LAB} --account tom --remove`)
    await sleep(SEEN_MS)
    expect((await put()).code).toBe(4084)
    expect((await site.call(tom.token, 'list', { spaceId: LAB, folder: '/' })).code).toBe(4084)
    expect((await site.ask({ path: `/api/files/content?ticket=${String(ticket.data['ticket'])}` })).code).toBe(4084)
  })

  it('answers an account without any space 4084 and an empty list, and lets it sign in', async () => {
    await site.cli('space assign --space 1 --account nobody --remove')
    const { token } = await site.signIn('nobody')
    expect((await site.ask({ path: '/api/user/space', token })).data['result']).toEqual([])
    const { user } = (await site.ask({ path: '/api/user/info', token })).data as unknown as { readonly user: object }
    expect(user).toMatchObject({ spaceInfo: [], currentSpaceId: 0 })
    expect((await site.call(token, 'list', { folder: '/' })).code).toBe(4084)
    expect((await site.ask({ path: '/api/user/info?spaceId=1', token })).code).toBe(4084)
  })

  it('is managed by the command, which says what is wrong', async () => {
    expect(await site.cli('space list')).toBe(0)
    expect(site.printed()).toContain('Laboratory')
    expect(await site.cli('space add laboratory')).toBe(5)
    expect(await site.cli('space assign --space 99 --account mei')).toBe(5)
    expect(await site.cli('space assign --space 2 --account stranger')).toBe(4)
  })
})
