import { SHARE_URL_TYPE } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { mailDigests, type DigestDeps } from './links.digest.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { someLink } from './testing/some-links.ts'
import { visitsStore } from './visits.store.ts'

const MINUTE_MS = 60_000

describe.each(DATABASES)('mails about links on $dialect', ({ open }) => {
  let smtp: Smtp
  let world: World
  let signIns: SignIns
  let deps: DigestDeps
  let ownerId: string
  let email: string

  beforeAll(async () => void (smtp = await launchSmtp()))
  afterAll(async () => smtp.stop())
  beforeEach(async () => {
    world = await open()
    signIns = openSignIns(world, smtp)
    deps = { db: world.database.db, clock: world.clock, mailer: signIns.auth.mailer }
    email = `mei-${world.ids.next()}@example.org`
    ownerId = (await createUser(signIns.users, { account: 'mei', email, password: 'Sunrise-42x' })).id
  })
  afterEach(async () => {
    await signIns.stop()
    await world[Symbol.asyncDispose]()
  })

  async function addLink(id: string, change: Partial<Link> = {}): Promise<void> {
    const now = world.clock.now()
    const row = someLink({ id, owner_id: ownerId, reported_until: now, created_at: now, ...change })
    await inTransaction(deps.db, (tx) => linksStore.insert(tx, row))
  }

  async function use(linkId: string, kind: 'download' | 'upload', files: readonly string[]): Promise<void> {
    const at = world.clock.now()
    const row = { id: world.ids.next(), link_id: linkId, visit_id: 'v', kind, address: '192.0.2.7', recipient: '', at }
    const what = { files: JSON.stringify(files), file_count: files.length, bytes: 1, total_bytes: 1, is_whole: 1 }
    await visitsStore.addUse(deps.db, { ...row, ...what })
  }

  it('say what was downloaded, once it has settled, and say nothing twice', async () => {
    await addLink('quiet', { notify: 0 })
    await addLink('told')
    world.clock.advance(1_000)
    await use('quiet', 'download', ['/a.pdf'])
    await use('told', 'download', ['/a.pdf'])
    await use('told', 'download', ['/a.pdf'])
    world.clock.advance(10 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(0)
    world.clock.advance(2 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(1)
    expect(await mailDigests(deps)).toBe(0)
    const { parsed } = await smtp.mailTo(email)
    expect(parsed.subject).toBe('Your link “a.pdf” was used')
    expect(parsed.text).toContain('Downloads since the last e-mail: 2.')
    expect(parsed.text).toContain('/a.pdf')
    expect(parsed.text).toContain('https://files.example.org/link/share')
  })

  it('are half an hour apart, and leave nothing out', async () => {
    await addLink('inbox', { url_type: SHARE_URL_TYPE.upload, label: 'Inbox' })
    world.clock.advance(1_000)
    await use('inbox', 'upload', ['/one.txt', '/two.txt'])
    world.clock.advance(12 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(1)
    await use('inbox', 'upload', ['/three.txt'])
    world.clock.advance(15 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(0)
    world.clock.advance(16 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(1)
    expect(await mailDigests(deps)).toBe(0)
  })

  it('go to nobody who has no address, without being tried for ever', async () => {
    await deps.db.updateTable('users').set({ email: '' }).where('id', '=', ownerId).execute()
    await addLink('silent')
    world.clock.advance(1_000)
    await use('silent', 'download', ['/a.pdf'])
    world.clock.advance(12 * MINUTE_MS)
    expect(await mailDigests(deps)).toBe(0)
    expect((await linksStore.byId(deps.db, 'silent'))?.reported_at).toBe(world.clock.now())
  })

  it('are written once, whoever comes first', async () => {
    await addLink('raced')
    world.clock.advance(1_000)
    await use('raced', 'download', ['/a.pdf'])
    world.clock.advance(12 * MINUTE_MS)
    const [one, other] = await Promise.all([mailDigests(deps), mailDigests(deps)])
    expect(one + other).toBe(1)
  })
})
