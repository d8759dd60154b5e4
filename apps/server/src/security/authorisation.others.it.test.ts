import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors, STRANGE_ID, TUS } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { signedInSocket, type TestSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

describe('things of another account', () => {
  let site: Site
  let mei: Login
  let tom: Login
  let uploadId = ''
  let jobId = ''
  let recycleId = ''
  let watcher: TestSocket

  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom']) await site.addUser(account)
    mei = await site.signIn('mei')
    tom = await site.signIn('tom')
    await site.upload(mei.token, 'mine.txt', Buffer.from('of mei'))
    await site.upload(mei.token, 'old.txt', Buffer.from('of mei too'))
    const json = { folder: '/', filename: 'begun', size: 10 }
    uploadId = String(
      (await site.ask({ method: 'POST', path: '/api/uploads', token: mei.token, json })).data['uploadId'],
    )
    const removed = await site.call(mei.token, 'remove', { paths: ['/old.txt'] })
    jobId = String((removed.data['job'] as { jobId?: string } | undefined)?.jobId)
    recycleId = String((removed.data['recycleIds'] as string[] | undefined)?.[0])
    watcher = await signedInSocket(site.url, tom.token)
    await watcher.ask({ type: 'watch', spaceId: 1, groupId: 0, folder: '/' })
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('are as if they were not there, whatever is asked of them (T27, T48)', async () => {
    const ids: Readonly<Record<string, string>> = { jobId, recycleId, uploadId }
    expect(Object.values(ids).every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
    const wrong: string[] = []
    for (const { name, question } of doors()) {
      const text = JSON.stringify(question)
      if (!text.includes(STRANGE_ID)) continue
      const id = name.startsWith('files.') ? (/restore|purge/.test(name) ? recycleId : jobId) : uploadId
      const asked = replaceId(question, id)
      const unknown = await site.ask({ ...question, token: tom.token })
      const foreign = await site.ask({ ...asked, token: tom.token })
      if (foreign.code === 200 && name !== 'files.restore') wrong.push(name)
      if (foreign.status !== unknown.status || foreign.code !== unknown.code) wrong.push(`${name} tells them apart`)
    }
    expect(wrong).toEqual([])
    expect((await site.ask({ path: `/api/uploads/${uploadId}`, token: mei.token })).data['state']).toBe('open')
    expect((await site.call(mei.token, 'recycled', {})).data['items']).toHaveLength(1)
    expect((await site.call(tom.token, 'list', { folder: '/' })).data['items']).toEqual([])
    expect((await site.call(tom.token, 'recycled', {})).data['items']).toEqual([])
    expect((await site.ask({ path: '/api/uploads', token: tom.token })).data['items']).toEqual([])
  })

  it('cannot be joined, resumed or replaced by another (T27, T48)', async () => {
    const headers = { ...TUS, 'upload-concat': `final;/files/uploads/${uploadId}`, 'upload-metadata': 'filename Zg==' }
    const joined = await site.ask({ method: 'POST', path: '/files/uploads', token: tom.token, headers })
    expect(joined.status).not.toBe(201)
    const json = { folder: '/', filename: 'begun', size: 10 }
    const begun = await site.ask({ method: 'POST', path: '/api/uploads', token: tom.token, json })
    expect(begun.data['uploadId']).not.toBe(uploadId)
    expect(begun.data['resumed']).toBe(false)
    await site.upload(tom.token, 'mine.txt', Buffer.from('of tom'))
    expect((await site.ask({ path: '/api/files/content?path=/mine.txt', token: mei.token })).text).toBe('of mei')
  })

  it('send no event to another account, however much happens (T28)', async () => {
    for (let made = 0; made < 300; made++) await site.call(mei.token, 'mkdir', { folder: '/', name: `folder ${made}` })
    await site.call(mei.token, 'copy', { paths: ['/mine.txt'], target: '/folder 1' })
    await site.call(tom.token, 'mkdir', { folder: '/', name: 'own' })
    await watcher.ask({ type: 'ping' })
    const events = watcher.events as ReadonlyArray<{
      readonly event: string
      readonly transfer?: { transferId: string }
    }>
    // His own upload has the same name.
    const moved = events.flatMap(({ transfer }) => transfer?.transferId ?? [])
    const own = await site.ask({ path: '/api/transfers', token: tom.token })
    const items = own.data['items'] as unknown as ReadonlyArray<{ readonly transferId: string }>
    expect(items.map(({ transferId }) => transferId)).toEqual(expect.arrayContaining(moved))
    expect(JSON.stringify(events.filter(({ transfer }) => transfer === undefined))).not.toMatch(/folder 1|mine\.txt/)
    expect(watcher.events.filter((event) => (event as { event: string }).event === 'job.changed')).toEqual([])
  })
})

function replaceId<T>(question: T, id: string): T {
  const { body, ...rest } = question as { readonly body?: unknown }
  const replaced = JSON.parse(JSON.stringify(rest).replaceAll(STRANGE_ID, id)) as T
  return body === undefined ? replaced : { ...replaced, body }
}
