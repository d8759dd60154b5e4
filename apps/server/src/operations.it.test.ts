import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { launchMariadb } from '@godwit/testkit'
import { expect, it } from 'vitest'
import { openSite, type Site } from './security/testing/sites.ts'

/** @returns the status of the probe, and what it gives as reasons */
async function probe(site: Site, where: '/healthz' | '/readyz') {
  const { status, text } = await site.ask({ path: where })
  const { reasons = {} } = JSON.parse(text) as { readonly reasons?: object }
  return { status, reasons: Object.keys(reasons) }
}

it('lives while its database is away, says that it is not ready and why, and is ready by itself afterwards', async () => {
  const mariadb = await launchMariadb()
  await using site = await openSite({ databaseUrl: await mariadb.database('godwit') })
  try {
    expect(await probe(site, '/readyz')).toEqual({ status: 200, reasons: [] })
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await mariadb.down(signal)
      await expect.poll(() => probe(site, '/readyz')).toEqual({ status: 503, reasons: ['database'] })
      expect(await probe(site, '/healthz')).toEqual({ status: 200, reasons: [] })
      await mariadb.up()
      await expect.poll(() => probe(site, '/readyz'), { timeout: 30_000 }).toEqual({ status: 200, reasons: [] })
      expect((await site.call((await site.signIn('admin')).token, 'list', { folder: '/' })).code).toBe(200)
    }
  } finally {
    await mariadb.stop()
  }
})

it('is backed up while people write, and comes back elsewhere with each file as it was', async () => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  const before = Buffer.alloc(5 * MiB, 'before')
  for (let at = 0; at < 8; at++) await site.upload(token, `before-${at}`, before)

  const target = path.join(site.data, '..', `${path.basename(site.data)}.tar`)
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-restored-'))
  let isDone = false
  const written = [0, 0, 0]
  const writers = written.map(async (_, writer) => {
    for (let at = 0; !isDone; at++) {
      const name = `w${writer}-${at}`
      expect((await site.upload(token, name, Buffer.alloc(100_000 + at, name))).code).toBe(200)
      if (at % 3 === 1) await site.call(token, 'remove', { paths: [`/${name}`] })
      if (at % 3 === 2) await site.call(token, 'rename', { path: `/${name}`, name: `${name}-renamed` })
      written[writer] = at
    }
  })
  try {
    await expect.poll(() => Math.min(...written)).toBeGreaterThan(3)
    expect(await site.cli(`backup ${target}`), site.printed()).toBe(0)
    const during = Math.min(...written)
    await expect.poll(() => Math.min(...written)).toBeGreaterThan(during)
  } finally {
    isDone = true
    await Promise.all(writers)
  }
  try {
    expect(await site.cli(`restore ${target} --data ${elsewhere}`), site.printed()).toBe(0)
    expect(await site.cli(`verify --data ${elsewhere}`), site.printed()).toBe(0)
    const home = path.join(elsewhere, 'files/users/admin')
    const names = fs.readdirSync(home)
    expect(names.filter((name) => name.startsWith('before-'))).toHaveLength(8)
    expect(names.filter((name) => name.startsWith('w')).length).toBeGreaterThan(5)
    for (const name of names) {
      const bytes = fs.readFileSync(path.join(home, name))
      expect([name, sha256(bytes)]).toEqual([name, sha256(asWritten(name, before))])
    }
  } finally {
    fs.rmSync(elsewhere, { recursive: true })
    fs.rmSync(target)
  }
})

/** What a file of the test above holds, by its name. */
function asWritten(name: string, before: Buffer): Buffer {
  const [, writer, at] = /^(w\d)-(\d+)/.exec(name) ?? []
  return at === undefined ? before : Buffer.alloc(100_000 + Number(at), `${writer}-${at}`)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
