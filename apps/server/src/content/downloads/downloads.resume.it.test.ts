import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { ReadableStreamReadResult } from 'node:stream/web'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTicketWorld, type TicketWorld } from './testing/ticket-worlds.ts'

const MiB = 2 ** 20
const KINDS = [
  { name: 'a local storage', isBucket: false },
  { name: 'a bucket', isBucket: true },
]

/** Has unzip and Python test an archive. @returns its names */
function tested(folder: string, body: Buffer): string[] {
  const archive = path.join(folder, 'tested.zip')
  fs.writeFileSync(archive, body)
  expect(execFileSync('unzip', ['-tq', archive], { encoding: 'utf8' })).toContain('No errors detected')
  const script =
    'import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps(z.namelist()))'
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script, archive], { encoding: 'utf8' })) as string[]
}

describe.each(KINDS)('a zip that goes on, from $name', ({ isBucket }) => {
  let world: TicketWorld

  beforeAll(async () => {
    world = await openTicketWorld({ isBucket })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it('gives any range of itself as it stands in the whole', async () => {
    const names = ['empty', 'b.txt', 'a.txt', '文件/说明 1.txt', '文件/é', 'deep/er/file', 'deep/x']
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 70_000 })), {
          minLength: 1,
          selector: ([n]) => n,
        }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 3, maxLength: 6 }),
        async (files, cuts) => {
          const root = `/tree ${run++}`
          await world.makeFolder(`${root}/none`)
          for (const [name, size] of files)
            await world.put(`${root}/${name}`, Buffer.alloc(name === 'empty' ? 0 : size, name))
          await world.choose(root)
          const { status, headers, body } = await world.download()
          const etag = headers.get('etag') ?? ''
          expect([status, headers.get('content-length'), headers.get('accept-ranges')]).toEqual([
            200,
            String(body.length),
            'bytes',
          ])
          expect(tested(world.folder, body)).toEqual(
            expect.arrayContaining(files.map(([name]) => `${root.slice(1)}/${name}`)),
          )
          for (const cut of cuts) {
            const [start = 0, last = 0] = cut.map((at) => at % body.length).toSorted((a, b) => a - b)
            const part = await world.download({ range: `bytes=${start}-${last}`, 'if-range': etag })
            expect([part.status, part.headers.get('content-range')]).toEqual([
              206,
              `bytes ${start}-${last}/${body.length}`,
            ])
            expect(part.body.equals(body.subarray(start, last + 1)), `${start}-${last}`).toBe(true)
          }
        },
      ),
      { numRuns: isBucket ? 4 : 10 },
    )
  })

  it('is another one when a file changed, and then begins again instead of being mixed', async () => {
    await world.put('/changing/a', 'first')
    await world.put('/changing/b', 'second')
    await world.choose('/changing')
    const first = await world.download()
    const etag = first.headers.get('etag') ?? ''
    const rest = { range: `bytes=${first.body.length - 40}-` }
    expect((await world.download({ ...rest, 'if-range': etag })).status).toBe(206)
    // Without If-Range, as curl and wget ask: the version that this reader began is remembered.
    expect((await world.download(rest)).status).toBe(206)
    expect((await world.download({ 'if-none-match': etag })).status).toBe(304)
    expect((await world.download({ range: `bytes=${first.body.length}-`, 'if-range': etag })).status).toBe(416)
    await world.put('/changing/b', 'SECOND')
    for (const headers of [rest, { ...rest, 'if-range': etag }]) {
      const again = await world.download(headers)
      expect([again.status, again.body.length]).toEqual([200, first.body.length])
      expect(again.headers.get('etag')).not.toBe(etag)
    }
    // What was thrown away is no beginning.
    expect((await world.download(rest)).status).toBe(200)
    await world.download()
    expect((await world.download(rest)).status).toBe(206)
  })

  it('returns its length and version without its bytes', async () => {
    await world.put('/told/a', 'first')
    await world.choose('/told')
    const head = await world.download({}, 'HEAD')
    const { headers, body } = await world.download()
    expect(head.headers.get('content-length')).toBe(String(body.length))
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
  })
})

describe('a zip of large files', () => {
  let world: TicketWorld

  beforeAll(async () => {
    world = await openTicketWorld({ mostEntries: 5 })
    await world.put('/large/first', Buffer.alloc(300 * MiB, 'some content, '))
    await world.put('/large/second', Buffer.alloc(20 * MiB, 'other content'))
  }, 120_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it('goes on with checksums of what was never sent before', async () => {
    await world.choose('/large')
    const head = await world.download({}, 'HEAD')
    const etag = head.headers.get('etag') ?? ''
    const total = Number(head.headers.get('content-length'))
    // From the middle of the first file, so far in that its beginning is read only for the descriptor.
    const start = 290 * MiB
    const end = await world.download({ range: `bytes=${start}-`, 'if-range': etag })
    const begin = await world.download({ range: `bytes=0-${start - 1}` })
    const body = Buffer.concat([begin.body, end.body])
    expect([end.status, begin.status, body.length]).toEqual([206, 206, total])
    expect(tested(world.folder, body)).toEqual(['large/', 'large/first', 'large/second'])
  })

  it('keeps the checksums of what was sent before a cut', async () => {
    await world.put('/cut/first', Buffer.alloc(300 * MiB, 'yet other content'))
    await world.put('/cut/second', Buffer.alloc(20 * MiB, 'content'))
    await world.choose('/cut')
    const stop = new AbortController()
    const answer = await fetch(world.url, { signal: stop.signal })
    const etag = answer.headers.get('etag') ?? ''
    const pieces: Uint8Array[] = []
    let bytes = 0
    const reader = answer.body?.getReader()
    while (bytes < 310 * MiB) {
      const piece = ((await reader?.read()) as ReadableStreamReadResult<Uint8Array> | undefined)?.value
      if (piece === undefined) throw new Error('the zip ended early')
      pieces.push(piece)
      bytes += piece.length
    }
    stop.abort()
    const kept = () => world.deps.zips.db.selectFrom('archive_checksums').select('up_to').orderBy('up_to').execute()
    await expect.poll(async () => (await kept()).map((row) => Number(row.up_to))).toContain(300 * MiB)
    const rest = await world.download({ range: `bytes=${bytes}-`, 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(tested(world.folder, Buffer.concat([...pieces, rest.body]))).toContain('cut/second')
  })

  it('of too many entries is made as it is sent', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.put(`/many/${name}`, name)
    await world.choose('/many')
    const { status, headers, body } = await world.download({ range: 'bytes=10-' })
    expect([status, headers.get('etag'), headers.get('accept-ranges')]).toEqual([200, null, null])
    expect(tested(world.folder, body)).toHaveLength(6)
  })
})
