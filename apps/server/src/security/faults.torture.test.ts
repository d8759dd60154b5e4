import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { GiB, MiB } from '@godwit/base'
import { expect, it } from 'vitest'
import { watchLoop } from './testing/loop-delay.ts'
import { flipBit, manyUploads, roundTrip } from './testing/campaigns.ts'
import { slowSockets } from './testing/slow-sockets.ts'
import { workWhileSwapped } from './testing/swaps.ts'
import { openSite, residentMiB } from './testing/sites.ts'

it('row 16: 1,000 uploads of 8 MiB at once, three times', async ({ annotate }) => {
  const loop = watchLoop()
  await using site = await openSite({ env: loop.env })
  const { token } = await site.signIn('admin')
  for (let round = 0; round < 3; round++) {
    const run = await manyUploads(site, token, 1_000)
    const late = `event loop late by ${loop.lateMs().toFixed(0)} ms (p99 since the start)`
    await annotate(`1,000 uploads: at most ${Math.round(run.mostMiB)} MiB, ${late}`)
    expect(run.notEqual).toBe(0)
    expect(run.serverErrors).toBe(0)
    expect(run.mostMiB).toBeLessThan(600)
    expect(loop.lateMs()).toBeLessThan(100)
    // Behind the server: a removal that goes on in the background would take the same names of the next round.
    for (const name of fs.readdirSync(site.home('admin'))) fs.rmSync(path.join(site.home('admin'), name))
  }
})

it('row 18: 1,000,000 files in one folder', async ({ annotate }) => {
  await using site = await openSite()
  const folder = path.join(site.home('admin'), 'many')
  fs.mkdirSync(folder, { recursive: true })
  for (let at = 0; at < 1_000_000; at++) fs.closeSync(fs.openSync(path.join(folder, `file ${at}`), 'w'))
  // Only now: no connection waits for half a minute while this process does nothing else.
  const { token } = await site.signIn('admin')
  const before = residentMiB(site.godwit.pid)
  const begun = performance.now()
  const first = await site.call(token, 'list', { folder: '/many', limit: 500 })
  const firstMs = performance.now() - begun
  expect(first.data['total']).toBe(1_000_000)
  const waits: number[] = []
  let cursor: unknown = first.data['next']
  for (let page = 0; page < 200; page++) {
    const asked = performance.now()
    const answer = await site.call(token, 'list', { folder: '/many', limit: 500, cursor })
    waits.push(performance.now() - asked)
    cursor = answer.data['next']
  }
  const p99 = waits.toSorted((a, b) => a - b)[197] ?? 0
  const more = residentMiB(site.godwit.pid) - before
  await annotate(
    `1,000,000 files: first page ${Math.round(firstMs)} ms, further ones p99 ${Math.round(p99)} ms, ${Math.round(more)} MiB more`,
  )
  expect(more).toBeLessThan(150)
})

it('row 21: each of 1,000 flipped bits is found', async () => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  for (let at = 0; at < 1_000; at++) await site.upload(token, `f${at}`, Buffer.alloc(2_000 + at, at))
  for (let at = 0; at < 1_000; at++) flipBit(path.join(site.home('admin'), `f${at}`), at * 8 + (at % 8))
  expect(await site.cli('verify --all')).toBe(1)
  expect(site.printed()).toContain('1000 problems.')
})

it('row 22: 10 GiB come back as they went, in the same memory', async ({ annotate }) => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  await roundTrip(site, token, 100 * MiB)
  const run = await roundTrip(site, token, 10 * GiB)
  await annotate(`10 GiB: ${Math.round(run.mostMiB)} MiB more at the highest`)
  expect(run.downloaded).toBe(run.uploaded)
  expect(run.mostMiB).toBeLessThan(64)
})

it('row 27: 2,000 clients as slow as they can be, in their headers, in JSON and in a part', async ({ annotate }) => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  for (const kind of ['headers', 'json', 'part'] as const) {
    const { data } = await site.ask({
      method: 'POST',
      path: '/api/uploads',
      token,
      json: { folder: '/', filename: kind, size: MiB, resume: false },
    })
    const at = `/api/uploads/${String(data['uploadId'])}/parts/0`
    const run = await slowSockets(site, { count: 2_000, kind, limitMs: 180_000, token, path: at })
    await annotate(
      `${kind}: the last of 2,000 closed after ${Math.round(run.lastClosedMs / 1000)} s; others' p99 ${Math.round(run.others99Ms)} ms`,
    )
    expect(run.stillOpen).toBe(0)
    expect(run.othersFailed).toBe(0)
  }
})

it('T07: a folder and a link to the outside are swapped 10,000 times under uploads and operations', async ({
  annotate,
}) => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  const { succeeded, faults } = await workWhileSwapped(site, token, 10_000)
  await annotate(`${succeeded} operations succeeded meanwhile`)
  expect(faults).toEqual([])
  expect(succeeded).toBeGreaterThan(0)
})

it('row 22: a zip of more than 4 GiB and more than 65,535 entries is whole for unzip', async ({ annotate }) => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  const folder = path.join(site.home('admin'), 'zipped')
  fs.mkdirSync(path.join(folder, 'many'), { recursive: true })
  for (let at = 0; at < 66_000; at++) fs.writeFileSync(path.join(folder, 'many', `file ${at}`), `content ${at}`)
  // Sparse: 4 GiB and a byte of zeros, with something at both ends.
  fs.writeFileSync(path.join(folder, 'large'), 'begin')
  fs.truncateSync(path.join(folder, 'large'), 4 * GiB)
  fs.appendFileSync(path.join(folder, 'large'), '!')
  const before = residentMiB(site.godwit.pid)
  const archive = path.join(site.data, 'archive.zip')
  const url = `${site.url}/api/files/content?path=/zipped`
  execFileSync('curl', ['-sf', '-H', `Authorization: Bearer ${token}`, '-o', archive, url])
  await annotate(`${fs.statSync(archive).size} bytes; ${Math.round(residentMiB(site.godwit.pid) - before)} MiB more`)
  expect(execFileSync('unzip', ['-tq', archive], { encoding: 'utf8' })).toContain('No errors detected')
  // The folder and its folder are entries too.
  const listed = execFileSync('unzip', ['-Zh', archive], { encoding: 'utf8' })
  expect(listed).toMatch(/number of entries: 6600[123]/)
  expect(residentMiB(site.godwit.pid) - before).toBeLessThan(200)
})
