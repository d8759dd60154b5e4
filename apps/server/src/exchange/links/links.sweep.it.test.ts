import { LINK_STATUS, MAIL_LANGUAGE, SHARE_URL_TYPE } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { createOutbox } from '../../kernel/events/index.ts'
import { createLog } from '../../kernel/log.ts'
import { openSignIns, SITE_URL, type SignIns } from '../../testing/sign-ins.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { sweepLinks, type ChangeDeps } from './links.changes.ts'
import { mailLink } from './links.mail.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { someLink } from './testing/some-links.ts'
import { visitsStore } from './visits.store.ts'

const DAY_MS = 24 * 3_600_000

describe.each(DATABASES)('links on $dialect', ({ open }) => {
  let smtp: Smtp
  let world: World
  let signIns: SignIns
  let deps: ChangeDeps
  let ownerId: string

  beforeAll(async () => void (smtp = await launchSmtp()))
  afterAll(async () => smtp.stop())
  beforeEach(async () => {
    world = await open()
    signIns = openSignIns(world, smtp)
    const { clock, bus, database } = world
    deps = { db: database.db, clock, bus, outbox: createOutbox({ db: database.db, clock, log: createLog('silent') }) }
    ownerId = (await createUser(signIns.users, { account: 'mei', email: 'mei@example.org', password: 'Sunrise-42x' }))
      .id
  })
  afterEach(async () => {
    await signIns.stop()
    await world[Symbol.asyncDispose]()
  })

  const add = async (id: string, change: Partial<Link> = {}): Promise<Link> => {
    const link = someLink({ id, owner_id: ownerId, ...change })
    await inTransaction(deps.db, (tx) => linksStore.insert(tx, link))
    return link
  }
  const statusOf = async (id: string) => (await linksStore.byId(deps.db, id))?.status
  const changes = async () =>
    (await deps.db.selectFrom('outbox').select('payload').where('type', '=', 'link.changed').orderBy('seq').execute())
      .map(({ payload }) => JSON.parse(payload) as { readonly linkId: string; readonly change: string })
      .map(({ linkId, change }) => `${linkId} ${change}`)

  it('expire in the millisecond that their time is over, once, and never without one', async () => {
    const now = world.clock.now()
    await add('today', { expires_at: now + DAY_MS })
    await add('later', { expires_at: now + 2 * DAY_MS })
    await add('never', { expires_at: 0 })
    await add('canceled', { expires_at: now + DAY_MS, status: LINK_STATUS.canceled })
    world.clock.advance(DAY_MS - 1)
    expect(await sweepLinks(deps)).toBe(0)
    world.clock.advance(1)
    expect(await sweepLinks(deps)).toBe(1)
    expect(await sweepLinks(deps)).toBe(0)
    expect(await Promise.all(['today', 'later', 'never', 'canceled'].map(statusOf))).toEqual([2, 1, 1, 3])
    expect(await changes()).toEqual(['today expired'])
    world.clock.advance(DAY_MS)
    expect(await sweepLinks(deps)).toBe(1)
    expect(await changes()).toEqual(['today expired', 'later expired'])
  })

  it('forget visits eight days after their end, and not before', async () => {
    await add('link')
    const visit = {
      id: 'v',
      link_id: 'link',
      token_hash: 'x',
      address: '192.0.2.7',
      user_agent: '',
      recipient: '',
      user_id: '',
      created_at: 0,
    }
    await visitsStore.insert(deps.db, { ...visit, expires_at: world.clock.now() })
    world.clock.advance(8 * DAY_MS)
    await sweepLinks(deps)
    expect(await visitsStore.byId(deps.db, 'v')).toBeDefined()
    world.clock.advance(1)
    await sweepLinks(deps)
    expect(await visitsStore.byId(deps.db, 'v')).toBeUndefined()
  })

  it.each([
    { language: 'zh-CN', url_type: SHARE_URL_TYPE.download, subject: 'mei 与你分享了“<b>a.pdf”' },
    { language: 'zh-CN', url_type: SHARE_URL_TYPE.upload, subject: 'mei 邀请你上传文件' },
    { language: 'en-US', url_type: SHARE_URL_TYPE.download, subject: 'mei shared “<b>a.pdf” with you' },
    { language: 'en-US', url_type: SHARE_URL_TYPE.upload, subject: 'mei asks you for files' },
  ] as const)('are mailed in $language, type $url_type, by the configured address only', async (one) => {
    const { language, url_type, subject } = one
    const { mailer } = signIns.auth
    const to = `guest-${world.ids.next()}@example.org`
    const text = 'Dear all,\nplease <script>alert(1)</script> see https://evil.example.net/share/x'
    const mailed = { mail_language: MAIL_LANGUAGE[language], mail_text: text }
    const terms = { label: '<b>a.pdf', password_sealed: 'sealed', ...mailed }
    const row = await add('f'.repeat(32), { url_type, ...terms })
    const mailDeps = { mail: { mailer, senders: signIns.senders }, vault: signIns.auth.vault, clock: world.clock }
    await inTransaction(deps.db, (tx) => mailLink(mailDeps, tx, { row, to: [to] }))
    const { parsed } = await smtp.mailTo(to)
    const address = `${SITE_URL}/share/${row.id}`
    expect(parsed.subject).toBe(subject)
    expect(parsed.text).toContain(address)
    expect(parsed.text).toContain('Dear all,')
    const html = String(parsed.html)
    expect(html.replace(/#to=[0-9a-f]{32}"/, '#to=…"')).toContain(`href="${address}#to=…"`)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<b>a.pdf')
    expect([...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to)).toEqual(
      [...html.matchAll(/(?:href|src|action)="(https:\/\/files\.example\.org[^"]*)"/g)].map(([, to]) => to),
    )
    // A dark mail program changes both or neither.
    expect(html).toMatch(/color:#1a1a1a;background:#ffffff/)
    expect(parsed.text + html).not.toContain('sealed')
  })
})
