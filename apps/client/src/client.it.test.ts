import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_BYTES, MiB } from '@godwit/base'
import type { TransferView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientProgram } from './testing/client-program.ts'
import { ClientSite } from './testing/client-site.ts'
import { MOST_AGAIN_BYTES, runOverKills } from './testing/kills.ts'

/** Slow enough for a few kills. */
const RATE = ['--rate', '80M']
const SIDES = ['client', 'server', 'both'] as const
const LARGE = 32 * MiB
/** A sender begins with so much before the receiver has said what it has. */
const UNASKED_BYTES = MiB

describe('the desktop client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-client-'))
  const files = new Map<string, Buffer>([
    ['large.bin', createHash('shake256', { outputLength: LARGE }).update('large').digest()],
    ...Array.from({ length: 50 }, (_, at) => [`small/${at}.txt`, Buffer.from(`file ${at}`)] as const),
    ['empty', Buffer.alloc(0)],
  ])
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  let site: ClientSite

  beforeAll(async () => {
    for (const [name, bytes] of files) {
      mkdirSync(join(folder, 'photos/small'), { recursive: true })
      writeFileSync(join(folder, 'photos', name), bytes)
    }
    site = await ClientSite.open(folder)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const client = (...words: readonly string[]): ClientProgram => site.client(...words)
  const restartServer = (): Promise<void> => site.restart()
  const listed = async (): Promise<readonly TransferView[]> => {
    const program = client('status')
    await program.exitCode()
    return program.events as unknown as readonly TransferView[]
  }

  it('signs in with an API token that counts', async () => {
    writeFileSync(join(folder, 'wrong'), `gwt_${'x'.repeat(43)}`)
    const stranger = (...words: readonly string[]) =>
      new ClientProgram(words, { GODWIT_CLIENT_HOME: join(folder, 'stranger') })
    expect(await stranger('login', site.url, '--token-file', join(folder, 'wrong')).exitCode()).toBe(1)
    expect(await stranger('ls').exitCode()).toBe(2)
    expect(await client('ls').exitCode()).toBe(0)
    const accounts = client('accounts')
    expect(await accounts.exitCode()).toBe(0)
    expect(accounts.events).toEqual([{ event: 'account', server: site.url, account: 'admin' }])
    expect(await client('ls', '--account', 'nobody').exitCode()).toBe(2)
  })

  it('sends a folder over kills of either side and of both, and little of it twice', async () => {
    const words = ['up', join(folder, 'photos'), '/', ...RATE]
    const { kills, movedBytes } = await runOverKills(SIDES, { start: () => client(...words), restartServer })
    expect(movedBytes - total).toBeLessThan(kills * MOST_AGAIN_BYTES)
    // One transfer, however often it was interrupted.
    const [transfer, ...more] = await listed()
    expect(more).toEqual([])
    expect(transfer).toMatchObject({ direction: 'upload', state: 'completed', name: 'photos', failures: 0 })
  })

  it('fetches it again over the same kills, byte by byte the same, and by TCP over one', async () => {
    for (const [target, sides, more] of [
      ['by-udp', SIDES, RATE],
      ['by-tcp', ['client'], [...RATE, '--no-udp']],
    ] as const) {
      const words = ['down', '/photos', join(folder, target), ...more]
      const { kills, movedBytes } = await runOverKills(sides, { start: () => client(...words), restartServer })
      expect(movedBytes - total).toBeLessThan(kills * MOST_AGAIN_BYTES)
      for (const [name, bytes] of files)
        expect(readFileSync(join(folder, target, 'photos', name)).equals(bytes), name).toBe(true)
    }
  })

  it('of another computer goes on where one stopped', async () => {
    const bytes = createHash('shake256', { outputLength: LARGE }).update('handed over').digest()
    writeFileSync(join(folder, 'handed.bin'), bytes)
    const words = ['up', join(folder, 'handed.bin'), '/', ...RATE]
    const first = client(...words)
    await first.until(() => first.progress('bytesDone') > LARGE / 2)
    await first.end()
    const done = first.progress('bytesDone')
    expect(done).toBeLessThan(LARGE)
    const login = site.clientElsewhere('login', site.url, '--token-file', site.tokenFile)
    expect(await login.exitCode()).toBe(0)
    const second = site.clientElsewhere(...words)
    expect(await second.exitCode()).toBe(0)
    // Its last leaf comes again, with the end of the file.
    expect(second.movedBytes).toBeLessThanOrEqual(LARGE - done + LEAF_BYTES + UNASKED_BYTES)
    // The first one finds nothing left to send.
    const again = client(...words)
    expect(await again.exitCode()).toBe(0)
    expect(again.movedBytes).toBeLessThanOrEqual(UNASKED_BYTES)
    expect(await client('down', '/handed.bin', join(folder, 'back')).exitCode()).toBe(0)
    expect(readFileSync(join(folder, 'back/handed.bin')).equals(bytes)).toBe(true)
  })

  it('is stopped from elsewhere', async () => {
    const program = client('up', join(folder, 'photos/large.bin'), '/', '--rate', '1M')
    await program.until(() => program.events.some(({ event }) => event === 'path'))
    let running: TransferView | undefined
    while (running === undefined) running = (await listed()).find(({ state }) => state === 'running')
    expect(running.name).toBe('large.bin')
    expect(await client('cancel', running.transferId).exitCode()).toBe(0)
    expect(await program.exitCode()).toBe(1)
  })

  it('names what it cannot read', async () => {
    const program = client('up', join(folder, 'nothing'), '/')
    expect(await program.exitCode()).toBe(3)
    expect(program.events).toContainEqual(expect.objectContaining({ event: 'file-failed', path: 'nothing' }))
  })

  it('leaves out what the account says to leave out: patterns, sizes and names that are taken', async () => {
    const [drafts, changed] = [join(folder, 'drafts'), join(folder, 'changed/drafts')]
    for (const each of [drafts, changed]) mkdirSync(each, { recursive: true })
    for (const name of ['kept.txt', 'scratch.tmp']) writeFileSync(join(drafts, name), name)
    writeFileSync(join(drafts, 'huge.iso'), Buffer.alloc(MiB + 1))
    const rules = [
      { key: 'transIgnoreRegSwitch', from: 0, value: 1 },
      { key: 'transIgnoreReg', from: '', value: '*.tmp; [z-a' },
      { key: 'transIgnoreSizeSwitch', from: 0, value: 1 },
      { key: 'transIgnoreSize', from: 0, value: 1 },
      { key: 'transSkipSameName', from: 0, value: 1 },
    ] as const
    await site.set(...rules)
    expect(await client('up', drafts, '/').exitCode()).toBe(0)
    writeFileSync(join(changed, 'kept.txt'), 'another text under a name that is taken')
    writeFileSync(join(changed, 'new.txt'), 'new')
    expect(await client('up', changed, '/').exitCode()).toBe(0)
    await site.set(...rules.map(({ key, from, value }) => ({ key, from: value, value: from })))

    expect(await client('down', '/drafts', join(folder, 'left')).exitCode()).toBe(0)
    expect(readdirSync(join(folder, 'left/drafts')).toSorted()).toEqual(['kept.txt', 'new.txt'])
    expect(readFileSync(join(folder, 'left/drafts/kept.txt'), 'utf8')).toBe('kept.txt')
    // Without the rule the newer one takes the place.
    expect(await client('up', changed, '/').exitCode()).toBe(0)
    expect(await client('down', '/drafts/kept.txt', join(folder, 'replaced')).exitCode()).toBe(0)
    expect(readFileSync(join(folder, 'replaced/kept.txt'), 'utf8')).toContain('another text')
  })

  it('leaves out what the person at this computer does not want to send', async () => {
    const [mixed, later] = [join(folder, 'mixed'), join(folder, 'later')]
    for (const each of [mixed, later])
      for (const name of ['kept.txt', 'secret.key', 'old.bak']) {
        mkdirSync(each, { recursive: true })
        writeFileSync(join(each, name), name)
      }
    const namesIn = async (path: string): Promise<readonly string[]> => {
      const program = client('ls', path)
      expect(await program.exitCode()).toBe(0)
      return program.events.map((entry) => String(entry['name'])).toSorted()
    }
    expect(await client('filters', 'add', '[z-a]').exitCode()).toBe(2)
    expect(await client('filters', 'add', '*.bak').exitCode()).toBe(0)
    expect(await client('up', mixed, '/', '--exclude', '*.key').exitCode()).toBe(0)
    expect(await namesIn('/mixed')).toEqual(['kept.txt'])

    await site.set({ key: 'forbidClientFilterSwitch', from: 0, value: 1 })
    // Nothing is sent where the wish cannot be met.
    expect(await client('up', later, '/', '--exclude', '*.key').exitCode()).toBe(1)
    expect(await client('ls', '/later').exitCode()).toBe(1)
    const locked = client('up', later, '/')
    expect(await locked.exitCode()).toBe(0)
    expect(locked.events).toContainEqual(expect.objectContaining({ event: 'filters-locked', exclude: ['*.bak'] }))
    expect(await namesIn('/later')).toEqual(['kept.txt', 'old.bak', 'secret.key'])
    await site.set({ key: 'forbidClientFilterSwitch', from: 1, value: 0 })
    expect(await client('filters', 'remove', '*.bak').exitCode()).toBe(0)
  })

  it('refuses what the queue of the daemon would not keep', async () => {
    for (const options of [['--by', '18:00'], ['--exclude', '*.key'], ['--dry-run']]) {
      expect(await client('up', join(folder, 'mixed'), '/', '--later', ...options).exitCode()).toBe(2)
      expect(await client('down', '/mixed', join(folder, 'fetched'), '--later', ...options).exitCode()).toBe(2)
    }
    expect(await client('queue').exitCode()).toBe(0)
  })

  it('says what it would send or fetch, and transfers nothing, with --dry-run', async () => {
    const plan = join(folder, 'plan')
    mkdirSync(join(plan, 'inner'), { recursive: true })
    for (const name of ['a.txt', 'inner/b.txt', 'c.tmp']) writeFileSync(join(plan, name), name)
    const planned = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const program = client(...words, '--dry-run')
      expect(await program.exitCode()).toBe(0)
      return program.events.filter(({ event }) => event === 'would-transfer').map(({ path }) => path)
    }
    const before = await listed()
    const sent = new Set(['plan/a.txt', 'plan/inner/b.txt'])
    expect(new Set(await planned('up', plan, '/', '--exclude', '*.tmp'))).toEqual(sent)
    expect(await listed()).toEqual(before)
    expect(await client('ls', '/plan').exitCode()).toBe(1)

    expect(await client('up', plan, '/').exitCode()).toBe(0)
    const fetched = ['plan/a.txt', 'plan/c.tmp', 'plan/inner/b.txt']
    const target = join(folder, 'planned')
    expect(new Set(await planned('down', '/plan', target))).toEqual(new Set(fetched))
    expect(await planned('down', '/plan/inner/b.txt', target)).toEqual(['b.txt'])
    expect(readdirSync(folder)).not.toContain('planned')
    expect(await client('down', '/nowhere.txt', target, '--dry-run').exitCode()).toBe(3)
  })

  it('goes by TCP where the round trip is as short as the site says, and by UDP again without that', async () => {
    const modes = ({ events }: ClientProgram): readonly unknown[] =>
      events.filter(({ event }) => event === 'path').map(({ mode }) => mode)
    await site.set({ key: 'tcpEnable', from: 0, value: 1 }, { key: 'tcpDelay', from: 0, value: 60_000 })
    const near = client('up', join(folder, 'photos/small/1.txt'), '/')
    expect(await near.exitCode()).toBe(0)
    expect(modes(near)).toEqual(['tcp'])
    await site.set({ key: 'tcpEnable', from: 1, value: 0 })
    // So slow that it still runs when UDP has answered.
    const far = client('up', join(folder, 'photos/large.bin'), '/', '--rate', '8M')
    await far.until(() => modes(far).includes('udp'))
    expect(modes(far)).toContain('udp')
    await far.kill()
  })

  it('begins in the default space of the site', async () => {
    const small = join(folder, 'photos/empty')
    const spaceId = await site.beginIn('Laboratory')
    // It was another one with the last command, which the client remembers.
    expect(await client('up', small, '/').exitCode()).toBe(0)
    expect(await client('down', '/empty', join(folder, 'from-space')).exitCode()).toBe(0)
    expect(await client('down', '/photos', join(folder, 'from-space')).exitCode()).toBe(1)
    const namesIn = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const program = client('ls', ...words)
      expect(await program.exitCode()).toBe(0)
      return program.events.map((entry) => entry['name'])
    }
    expect(await namesIn()).toEqual(['empty'])
    expect(await namesIn('--space', String(spaceId))).toEqual(['empty'])
    expect(await namesIn('--space', '1')).toContain('photos')
  })

  it('signs out: the token is revoked and forgotten', async () => {
    const token = { GODWIT_SERVER: site.url, GODWIT_TOKEN: readFileSync(site.tokenFile, 'utf8') }
    expect(await client('logout').exitCode()).toBe(0)
    expect(await client('ls').exitCode()).toBe(2)
    expect(await new ClientProgram(['ls'], { GODWIT_CLIENT_HOME: join(folder, 'home'), ...token }).exitCode()).toBe(1)
  })
})
