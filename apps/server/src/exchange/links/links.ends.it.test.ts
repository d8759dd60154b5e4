import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../foundation/settings/index.ts'
import { createUser } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { createOutbox } from '../../kernel/events/index.ts'
import { openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { remindOwners, type ReminderDeps } from './links.reminders.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { someLink } from './testing/some-links.ts'

const DAY_MS = 24 * 3_600_000
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe.each(DATABASES)('the end of a link on $dialect', ({ open }) => {
  let smtp: Smtp
  let world: World
  let signIns: SignIns
  let deps: ReminderDeps
  let days: number
  let ownerId: string
  let email: string

  beforeAll(async () => void (smtp = await launchSmtp()))
  afterAll(async () => smtp.stop())
  beforeEach(async () => {
    world = await open()
    signIns = openSignIns(world, smtp)
    days = 1
    const settings = { of: () => Promise.resolve({ 'links.remindDays': days }) } as unknown as Settings
    const { clock, database } = world
    const outbox = createOutbox({ db: database.db, clock, log: SILENT })
    deps = { db: database.db, clock, outbox, settings, mailer: signIns.auth.mailer }
    email = `mei-${world.ids.next()}@example.org`
    ownerId = (await createUser(signIns.users, { account: 'mei', email, password: 'Sunrise-42x' })).id
  })
  afterEach(async () => {
    await signIns.stop()
    await world[Symbol.asyncDispose]()
  })

  async function addLink(id: string, lifeMs: number, change: Partial<Link> = {}): Promise<void> {
    const now = world.clock.now()
    const row = someLink({ id, owner_id: ownerId, created_at: now, expires_at: now + lifeMs, ...change })
    await inTransaction(deps.db, (tx) => linksStore.insert(tx, row))
  }

  it('is announced to its owner a day before, once, and again after the link was extended', async () => {
    await addLink('week', 7 * DAY_MS)
    expect(await remindOwners(deps)).toBe(0)
    world.clock.advance(6 * DAY_MS)
    const [one, other] = await Promise.all([remindOwners(deps), remindOwners(deps)])
    expect(one + other).toBe(1)
    expect(await remindOwners(deps)).toBe(0)
    const { parsed } = await smtp.mailTo(email)
    expect(parsed.subject).toBe('Your link “a.pdf” ends soon')
    expect(parsed.text).toContain('https://files.example.org/link/share?extend=week')
    const end = world.clock.now() + 3 * DAY_MS
    await inTransaction(deps.db, (tx) => linksStore.change(tx, 'week', { expires_at: end }))
    expect(await remindOwners(deps)).toBe(0)
    world.clock.advance(2 * DAY_MS)
    expect(await remindOwners(deps)).toBe(1)
  })

  it('is not announced of a link made for a day, of a canceled one, or of one that never ends', async () => {
    await addLink('day', DAY_MS)
    await addLink('off', 7 * DAY_MS, { status: 3 })
    await addLink('endless', 7 * DAY_MS, { expires_at: 0 })
    world.clock.advance(6 * DAY_MS + DAY_MS / 2)
    expect(await remindOwners(deps)).toBe(0)
    await addLink('later', 2 * DAY_MS)
    days = 0
    world.clock.advance(DAY_MS)
    expect(await remindOwners(deps)).toBe(0)
  })

  it('is announced by the notice alone when its owner has no address', async () => {
    await deps.db.updateTable('users').set({ email: '' }).where('id', '=', ownerId).execute()
    await addLink('silent', 7 * DAY_MS)
    world.clock.advance(6 * DAY_MS)
    expect(await remindOwners(deps)).toBe(1)
    expect(await remindOwners(deps)).toBe(0)
  })
})
