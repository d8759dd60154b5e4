import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTicketWorld, type TicketWorld } from './testing/ticket-worlds.ts'

const KINDS = [
  { name: 'a local storage', isBucket: false },
  { name: 'a bucket', isBucket: true },
]

describe.each(KINDS)('the ticket for a zip, on $name', ({ isBucket }) => {
  let world: TicketWorld
  let folder: string

  beforeAll(async () => {
    world = await openTicketWorld({ isBucket })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  const put = (name: string, content: string, modifiedMs: number) => world.put(`${folder}/${name}`, content, modifiedMs)
  /** What is under the names now is not what was chosen, though its size and its name are the same. */
  const remakeAll = async () => {
    for (const name of ['a.txt', 'inside']) await world.remove(`${folder}/${name}`)
    // The age of a folder of a bucket is in whole seconds.
    if (isBucket) await new Promise((resolve) => setTimeout(resolve, 1_000))
    await put('a.txt', 'other', 2_000_000)
    await put('inside/b.txt', 'other', 2_000_000)
  }
  const choose = (...names: string[]) => world.choose(...names.map((name) => `${folder}/${name}`))
  const namesIn = (body: Buffer) => {
    const archive = path.join(world.folder, 'archive.zip')
    fs.writeFileSync(archive, body)
    return execFileSync('unzip', ['-Z1', archive], { encoding: 'utf8' }).trim().split('\n').toSorted()
  }

  beforeEach(async () => {
    folder = `/${Buffer.from(secureRandom.fill(new Uint8Array(8))).toString('hex')}`
    world.before(() => Promise.resolve())
    await put('a.txt', 'first', 1_000_000)
    await put('c.txt', 'third', 1_000_000)
    await put('inside/b.txt', 'first', 1_000_000)
  })

  it('sends what was chosen, also when files came into a chosen folder since', async () => {
    await choose('a.txt', 'inside')
    await put('inside/later.txt', 'later', 2_000_000)
    const { status, body } = await world.download()
    expect(status).toBe(200)
    expect(namesIn(body)).toEqual(['a.txt', 'inside/', 'inside/b.txt', 'inside/later.txt'])
  })

  it.each([[['a.txt', 'c.txt']], [['inside']]])('refuses %j when one of them was made again', async (names) => {
    await choose(...names)
    await remakeAll()
    const { status, body } = await world.download()
    expect([status, body.toString()]).toEqual([400, 'FILE_CHANGED'])
  })

  it('cuts a zip of which a file is made again before its turn', async () => {
    await choose('c.txt', 'a.txt', 'inside')
    world.before(remakeAll)
    await expect(world.download()).rejects.toThrow(/terminated|fetch failed/)
  })

  it('takes the files as they come after such a cut, and says what it leaves out', async () => {
    await choose('c.txt', 'inside')
    world.before(async () => {
      await put('inside/b.txt', 'newer', 3_000_000)
    })
    await expect(world.download()).rejects.toThrow(/terminated|fetch failed/)
    world.before(remakeAll)
    const { status, body, headers } = await world.download()
    expect([status, headers.get('etag'), headers.get('content-length')]).toEqual([200, null, null])
    expect(namesIn(body)).toEqual(['Not in this archive.txt', 'c.txt'])
    expect(body.includes('other')).toBe(false)
  })
})
