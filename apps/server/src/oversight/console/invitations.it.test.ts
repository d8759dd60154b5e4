import { adminUserRoutes, encodePassword, MAIL_LANGUAGE } from '@godwit/contract'
import { launchSmtp, type KeptMail, type Smtp } from '@godwit/testkit'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const PASSWORD = encodePassword('Moonlight-77')

describe('people who are invited', () => {
  let smtp: Smtp
  let site: Site
  let admin = ''

  beforeAll(async () => {
    smtp = await launchSmtp()
    site = await openSite({
      env: {
        GODWIT_PUBLIC_URL: 'https://files.example.org',
        ...smtp.environment,
      },
    })
    admin = (await site.signIn('admin')).token
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await smtp.stop()
  })

  const post = (path: string, json: object, token?: string) => site.ask({ method: 'POST', path, json, token })
  const add = (account: string, more: object = {}) =>
    post('/api/admin/users', { account, email: `${account}@example.org`, invite: true, ...more }, admin)
  const rowOf = async (account: string) => {
    const { data } = await site.ask({ path: `/api/admin/users?text=${account}`, token: admin })
    return adminUserRoutes.list.reply.parse(data).rows[0]
  }
  const tokenIn = (mail: KeptMail) => /\/join#(\S+)/.exec(mail.parsed.text ?? '')?.[1] ?? ''
  const open = (token: string) => post('/api/user/invitation', { token })
  const accept = (token: string, password = PASSWORD) => post('/api/user/invitation/accept', { token, password })
  /** As if the last mail had been sent a while ago, or the link were that old. */
  const age = (account: string, change: { readonly sent_at?: number; readonly expires_at?: number }) =>
    site.withDatabase(({ db }) =>
      db
        .updateTable('invitations')
        .set(change)
        .where('user_id', 'in', db.selectFrom('users').select('id').where('account', '=', account))
        .execute(),
    )

  it('get a link in their language, choose a password by the rules and are signed in, once', async () => {
    expect((await add('mei', { name: '梅', language: MAIL_LANGUAGE['zh-CN'] })).data['user']).toMatchObject({
      invitation: 'open',
    })
    const mail = await smtp.mailTo('mei@example.org')
    expect(mail.parsed.subject).toContain('账号')
    const token = tokenIn(mail)
    const kept = await site.withDatabase(({ db }) => db.selectFrom('invitations').selectAll().execute())
    expect(JSON.stringify(kept)).not.toContain(token)
    // Whoever only looks, as mail programs do, uses nothing up.
    for (let look = 0; look < 3; look++) expect((await open(token)).data).toMatchObject({ account: 'mei', name: '梅' })
    expect((await accept(token, encodePassword('short'))).code).toBe(5001)
    const entered = await Promise.all([accept(token), accept(token)])
    expect(entered.map(({ code }) => Number(code)).toSorted((a, b) => a - b)).toEqual([200, 5434])
    const winner = entered.find(({ code }) => code === 200)
    expect((await site.ask({ path: '/api/user/info', token: String(winner?.data['token']) })).code).toBe(200)
    expect((await open(token)).code).toBe(5434)
    expect((await rowOf('mei'))?.invitation).toBeNull()
  })

  it('are invited again, by a new link, and no more once the invitation is withdrawn or too old', async () => {
    await add('tom')
    const first = tokenIn(await smtp.mailTo('tom@example.org'))
    const ids = [(await rowOf('tom'))?.id ?? '']
    const soon = await post('/api/admin/users/invite', { ids }, admin)
    expect(soon.data).toMatchObject({ changed: 0, failed: [{ account: 'tom', code: 5004 }] })
    await age('tom', { sent_at: 0 })
    expect((await post('/api/admin/users/invite', { ids }, admin)).data).toEqual({ changed: 1, failed: [] })
    const second = tokenIn(await smtp.mailTo('tom@example.org', 2))
    expect((await open(first)).code).toBe(5434)
    expect((await open(second)).code).toBe(200)
    expect((await post('/api/admin/users/withdraw-invitation', { ids }, admin)).data['changed']).toBe(1)
    expect((await accept(second)).code).toBe(5434)
    expect((await rowOf('tom'))?.invitation).toBe('over')

    await age('tom', { sent_at: 0 })
    await post('/api/admin/users/invite', { ids }, admin)
    const third = tokenIn(await smtp.mailTo('tom@example.org', 3))
    await age('tom', { expires_at: 1 })
    for (const token of [third, 'unknown']) expect((await open(token)).code).toBe(5434)
    await post('/api/admin/users/lock', { ids }, admin)
    expect((await accept(third)).code).toBe(5434)
  })

  it('get the link at the right address once it was corrected, and the one that went astray opens nothing', async () => {
    const correct = async (email: string) => {
      const { id = '', revision } = (await rowOf('lea')) ?? {}
      const json = { revision, email }
      return (await site.ask({ method: 'PATCH', path: `/api/admin/users/${id}`, token: admin, json })).code
    }
    await add('lea', { email: 'lea@exmaple.org' })
    const astray = tokenIn(await smtp.mailTo('lea@exmaple.org'))
    expect(await correct('lea@example.org')).toBe(200)
    expect((await accept(astray)).code).toBe(5434)
    const token = tokenIn(await smtp.mailTo('lea@example.org'))
    expect((await rowOf('lea'))?.invitation).toBe('open')
    expect((await open(token)).code).toBe(200)
    expect(await correct('')).toBe(200)
    expect((await accept(token)).code).toBe(5434)
    expect((await rowOf('lea'))?.invitation).toBe('over')
    // Whoever was given no link before gets none by a correction.
    expect(await correct('lea2@example.org')).toBe(200)
    expect((await rowOf('lea'))?.invitation).toBe('over')
  })

  it('need an address, and are told apart from accounts with a password', async () => {
    expect((await add('nomail', { email: '' })).code).toBe(5413)
    expect((await add('both', { password: PASSWORD })).code).toBe(400)
    expect((await add('none', { invite: false })).code).toBe(400)
    const ids = [(await rowOf('mei'))?.id ?? '']
    expect((await post('/api/admin/users/invite', { ids }, admin)).data).toMatchObject({ failed: [{ code: 5434 }] })
    const rows = [{ account: 'byfile', email: 'byfile@example.org', invite: true }]
    expect((await post('/api/admin/users/import', { rows, dryRun: false }, admin)).data['created']).toBe(1)
    expect(tokenIn(await smtp.mailTo('byfile@example.org'))).not.toBe('')
  })
  it('set up the second factor that the site demands before they are in', async () => {
    const demand = (value: number | null) =>
      site.ask({
        ...{ method: 'PATCH', path: '/api/admin/security/settings', token: admin },
        json: { changes: [{ key: 'security.secondFactor', from: value === null ? 2 : 0, value }] },
      })
    expect((await demand(2)).code).toBe(200)
    await add('carol')
    const accepted = await accept(tokenIn(await smtp.mailTo('carol@example.org')))
    expect(accepted.code).toBe(5458)
    const setUp = String(accepted.data['setUp'])
    const begun = await post('/api/user/second-factor/set-up/begin', { setUp })
    const code = generateSync({ secret: String(begun.data['secret']) })
    const done = await post('/api/user/second-factor/set-up', { setUp, code })
    const token = String(done.data['token'])
    expect((await site.ask({ path: '/api/user/second-factor', token })).data).toMatchObject({
      totp: true,
      required: true,
    })
    const [recovery = ''] = done.data['recoveryCodes'] as unknown as string[]
    expect((await post('/api/user/second-factor/remove', { password: PASSWORD, code: recovery }, token)).code).toBe(
      5459,
    )
    expect((await demand(null)).code).toBe(200)
    const off = () => post('/api/user/second-factor/remove', { password: PASSWORD, code: recovery }, token)
    await expect.poll(async () => (await off()).code, { timeout: 5_000 }).toBe(200)
  })
})
