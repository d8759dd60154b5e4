import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openSharing } from '../../exchange/links/testing/guests.ts'
import { openSite, residentMiB } from '../../security/testing/sites.ts'

const GiB = 2 ** 30

interface Answered {
  readonly etag: string
  readonly status: number
  readonly total: number
  /** Until the first byte came. */
  readonly firstMs: number
  /** Where the next byte belongs. */
  readonly at: number
}

interface Asking {
  readonly headers: Readonly<Record<string, string>>
  readonly from: number
  /** The line is cut there. */
  readonly cutAt?: number
}

/** Takes an archive to a file, in which zeros take no room. */
async function take(url: string, file: number, { headers, from, cutAt = Infinity }: Asking): Promise<Answered> {
  const asked = performance.now()
  const request = http.get(url, { headers })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  let firstMs = 0
  let at = from
  const zeros = Buffer.alloc(1024 * 1024)
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    firstMs ||= performance.now() - asked
    if (!chunk.equals(zeros.subarray(0, chunk.length))) fs.writeSync(file, chunk, 0, chunk.length, at)
    at += chunk.length
    if (at >= cutAt) break
  }
  request.destroy()
  const { etag = '', 'content-length': length } = answer.headers
  return { etag, status: answer.statusCode ?? 0, total: from + Number(length), firstMs: Math.round(firstMs), at }
}

it('a guest goes on with a zip of 20 GiB after the line was cut twice', async ({ annotate }) => {
  await using site = await openSite()
  const mei = await openSharing(site, 'mei')
  const folder = path.join(mei.home, 'film/素材')
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, size] of [
    ['first', 12 * GiB],
    ['second', 8 * GiB],
  ] as const) {
    // Zeros, with something at both ends.
    fs.writeFileSync(path.join(folder, name), 'begin')
    fs.truncateSync(path.join(folder, name), size)
    fs.appendFileSync(path.join(folder, name), '!')
  }
  const id = await mei.link({ shareServerPath: '/', shareFiles: ['film'] })
  const url = () => `${site.godwit.url}/share/${id}`
  const archive = path.join(site.data, 'film.zip')
  const file = fs.openSync(archive, 'w')
  const before = residentMiB(site.godwit.pid)
  const began = performance.now()
  const first = await take(url(), file, { headers: {}, from: 0, cutAt: 9 * GiB + 12_345 })
  const most = residentMiB(site.godwit.pid) - before
  const onward = (at: number) => ({ range: `bytes=${at}-`, 'if-range': first.etag })
  const second = await take(url(), file, { headers: onward(first.at), from: first.at, cutAt: 15 * GiB })
  // As curl and wget ask: without the version.
  const rest = await take(url(), file, { headers: { range: `bytes=${second.at}-` }, from: second.at })
  const after = residentMiB(site.godwit.pid) - before
  const seconds = Math.round((performance.now() - began) / 1000)
  fs.closeSync(file)
  fs.truncateSync(archive, rest.at)
  await annotate(`${rest.at} bytes in ${seconds} s; first byte after ${first.firstMs} ms`)
  await annotate(`went on after ${second.firstMs} and ${rest.firstMs} ms`)
  await annotate(`${Math.round(most)} MiB more at the cut, ${Math.round(after)} MiB at the end`)
  expect([second.status, rest.status, rest.at]).toEqual([206, 206, first.total])
  expect(execFileSync('unzip', ['-tq', archive], { encoding: 'utf8' })).toContain('No errors detected')
  expect(Math.max(most, after)).toBeLessThan(200)
  expect((await mei.look(`download/count?sid=${id}`)).data).toEqual({ count: 1 })
})
