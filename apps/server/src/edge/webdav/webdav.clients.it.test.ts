import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { run } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { mayMount } from '../../testing/loop-disks.ts'
import { mountAs, type Mount } from './testing/dav.ts'

const SYSTEM = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`
/** Only where the kernel has FUSE, too. */
const mayMountDrives = mayMount && fs.existsSync('/dev/fuse')
/** Of rclone. A bucket takes each with several requests. */
const FILES = { 'SQLite and a disk': 200, 'MariaDB and a bucket': 20 } as const
const NAMES = [
  'a b.txt',
  'ünï.txt',
  '文件 名.txt',
  '100%25.txt',
  "it's.txt",
  'semi;colon&amp.txt',
  'hash#1.txt',
  'plus+.txt',
]
const MORE = [
  'emoji👩‍🚀.txt',
  '-dash',
  '$(x)',
  '`t`',
  '{{7}}',
  '..hidden',
  '[x]',
  '(y)',
  '!z',
  'a~',
  '.DS_Store',
  '~$doc.docx',
]

// One piece: the clients that people mount with, unchanged, against one server each on both engines.
describe.each(['SQLite and a disk', 'MariaDB and a bucket'] as const)('clients of WebDAV on %s', (engine) => {
  let site: Site
  let mei: Mount
  let folder: string
  let url: string

  beforeAll(async () => {
    const prepare = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      await keepFilesInBucket(environment)
    }
    const isGrown = engine !== 'SQLite and a disk'
    site = await openSite(isGrown ? { databaseUrl: await mariadbUrl(), prepare } : {})
    await site.addUser('mei')
    mei = await mountAs(site, 'mei')
    url = `${site.url}/dav/personal`
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-dav-'))
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    fs.rmSync(folder, { recursive: true })
  })

  it('litmus finds nothing to complain about', async () => {
    const argv = ['litmus', '-k', `${url}/`, 'mei', mei.password] as const
    const output = await run(argv, { cwd: folder, timeoutMs: 300_000 })
    const summaries = [...output.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed/g)]
    expect(summaries.map(([, suite]) => suite)).toEqual(['basic', 'copymove', 'props', 'locks', 'http'])
    for (const [line, , all, passed] of summaries) expect(passed, line).toBe(all)
    expect(output).not.toMatch(/WARNING|FAIL/)
  })

  it('curl sends a file, and what a program prints, by the lines of the documentation', async () => {
    const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../../docs/webdav.md'), 'utf8')
    const lines = /```sh\n((?:.*curl.*\n)+)```/.exec(page)?.[1]?.trim().split('\n') ?? []
    expect(lines).toHaveLength(2)
    const netrc = path.join(folder, 'netrc')
    fs.writeFileSync(netrc, `machine 127.0.0.1 login mei password ${mei.password}\n`, { mode: 0o600 })
    fs.writeFileSync(path.join(folder, 'film.mov'), Buffer.alloc(3_000_000, 'film'))
    fs.mkdirSync(path.join(folder, 'plans'))
    fs.writeFileSync(path.join(folder, 'plans', 'one.txt'), 'plan')
    for (const line of lines) {
      const here = line.replace('https://files.example.org', site.url).replace('-u ACCOUNT', `--netrc-file ${netrc}`)
      await promisify(execFile)('sh', ['-c', `set -e; ${here}`], { cwd: folder })
    }
    expect(await mei.list(['personal'])).toEqual(expect.arrayContaining(['film.mov', 'plans.tar']))
    const home = `${url}/film.mov`
    const { stdout } = await promisify(execFile)('curl', ['--fail', '--netrc-file', netrc, '-sI', home])
    expect(stdout).toMatch(/content-length: 3000000/i)
  })

  it('rclone copies, finds everything equal, and syncs what changed', async () => {
    const source = path.join(folder, 'source')
    fs.mkdirSync(path.join(source, 'many'), { recursive: true })
    for (const name of [...NAMES, ...MORE]) fs.writeFileSync(path.join(source, name), name)
    for (let at = 0; at < FILES[engine]; at++)
      fs.writeFileSync(path.join(source, 'many', `file ${at}`), `${at}`.repeat(at % 50))
    const rclone = await rcloneOf(url, mei)
    await rclone('copy', source, 'dav:target')
    await rclone('check', source, 'dav:target', '--download')
    fs.rmSync(path.join(source, 'many', 'file 7'))
    fs.writeFileSync(path.join(source, 'many', 'file 8'), 'changed')
    fs.renameSync(path.join(source, '!z'), path.join(source, 'many', '!z'))
    await rclone('sync', source, 'dav:target')
    await rclone('check', source, 'dav:target', '--download')
    expect(await mei.list(['personal', 'target', 'many'])).toHaveLength(FILES[engine])
  })

  async function rcloneOf(remote: string, { account, password }: Mount) {
    const config = path.join(folder, 'rclone.conf')
    const hidden = (await run(['rclone', 'obscure', password])).trim()
    const lines = [
      '[dav]',
      'type = webdav',
      `url = ${remote}`,
      'vendor = owncloud',
      `user = ${account}`,
      `pass = ${hidden}`,
    ]
    fs.writeFileSync(config, `${lines.join('\n')}\n`)
    return (...words: string[]) =>
      run(['rclone', '--config', config, '--transfers', '16', '--checkers', '16', ...words], { timeoutMs: 500_000 })
  }

  // What they do to files is the same on every storage.
  if (engine === 'MariaDB and a bucket') return

  it('cadaver works in a folder from beginning to end', async () => {
    const login = `machine 127.0.0.1 login mei password ${mei.password}\n`
    fs.writeFileSync(path.join(folder, '.netrc'), login, { mode: 0o600 })
    fs.writeFileSync(path.join(folder, 'sent'), 'sent')
    const words = [
      'mkcol by-cadaver',
      'cd by-cadaver',
      'put sent',
      'lock sent',
      'put sent',
      'unlock sent',
      'move sent moved',
    ]
    const lines = [
      `open ${url}/`,
      ...words,
      'copy moved kept',
      'propset kept author me',
      'propget kept',
      'get kept got',
      'delete moved',
      'quit',
    ]
    const running = promisify(execFile)('cadaver', [], { cwd: folder, env: { ...process.env, HOME: folder } })
    running.child.stdin?.end(`${lines.join('\n')}\n`)
    const { stdout } = await running
    expect(stdout).not.toContain('failed')
    expect(stdout).toContain('author = me')
    expect(fs.readFileSync(path.join(folder, 'got'), 'utf8')).toBe('sent')
    expect(await mei.list(['personal', 'by-cadaver'])).toEqual(['kept'])
  })

  it.runIf(mayMountDrives)('davfs2 mounts it as a drive [mounts a disk]', async () => {
    const drive = path.join(folder, 'drive')
    const config = path.join(folder, 'davfs2.conf')
    fs.mkdirSync(drive)
    fs.writeFileSync(path.join(folder, 'secrets'), `${url}/ mei ${mei.password}\n`, { mode: 0o600 })
    // Newer kernels read folders in larger pieces than its buffer has by default.
    fs.writeFileSync(config, `buf_size 128\ndelay_upload 0\nask_auth 0\nsecrets ${path.join(folder, 'secrets')}\n`)
    const env = { ...process.env, PATH: SYSTEM }
    await run(['mount.davfs', '-o', `conf=${config}`, `${url}/`, drive], { env, timeoutMs: 60_000 })
    try {
      fs.mkdirSync(path.join(drive, 'mounted'))
      for (const name of [...NAMES, ...MORE]) fs.writeFileSync(path.join(drive, 'mounted', name), name)
      fs.renameSync(path.join(drive, 'mounted', 'plus+.txt'), path.join(drive, 'mounted', 'renamed'))
      expect(fs.readdirSync(path.join(drive, 'mounted'))).toHaveLength(NAMES.length + MORE.length)
    } finally {
      // Waits until everything is written.
      await run(['umount', drive], { env, timeoutMs: 300_000 })
    }
    const kept = [...NAMES.slice(0, -1), ...MORE, 'renamed']
    expect((await mei.list(['personal', 'mounted'])).toSorted()).toEqual(kept.toSorted())
    expect((await mei.send('GET', ['personal', 'mounted', '文件 名.txt'])).text).toBe('文件 名.txt')
  })
})
