import { adminDesignRoutes, adminMailSettingRoutes, adminMailTextRoutes, type MailWordsInput } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

describe('the words of mails in the console', () => {
  let smtp: Smtp
  let site: Site
  let token = ''

  beforeAll(async () => {
    smtp = await launchSmtp()
    site = await openSite({
      env: {
        GODWIT_PUBLIC_URL: 'https://files.example.org',
        ...smtp.environment,
      },
    })
    token = (await site.signIn('admin')).token
    await site.withDatabase(({ db }) =>
      db
        .updateTable('users')
        .set({ email: 'admin@example.org', email_key: 'admin@example.org' })
        .where('account', '=', 'admin')
        .execute(),
    )
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await smtp.stop()
  })

  const post = (path: string, json: object) => site.ask({ method: 'POST', path, json, token })
  const WORDS: MailWordsInput = {
    ...{ template: 'invitation', locale: 'en-US', subject: 'Welcome to {product}' },
    body: 'Dear {name},\n\nyour account is {account} <b>now</b>.',
  }
  const settings = async () =>
    adminMailSettingRoutes.list.reply.parse((await site.ask({ path: '/api/admin/mail/settings', token })).data).settings
  const change = async (key: string, value: string | null) => {
    const from = (await settings()).find((setting) => setting.key === key)?.value
    return site.ask({
      ...{ method: 'PATCH', path: '/api/admin/mail/settings', token },
      json: { changes: [{ key, from, value }] },
    })
  }

  it('are listed with what may stand in them', async () => {
    const { mails } = adminMailTextRoutes.list.reply.parse(
      (await site.ask({ path: '/api/admin/mail/templates', token })).data,
    )
    expect(mails.find(({ template }) => template === 'sign-in-code')).toMatchObject({
      ...{ placeholders: ['account', 'product', 'code', 'minutes', 'url'], needed: ['code'] },
    })
    expect(await settings()).toHaveLength(mails.length * 4)
  })

  it('are shown as the mail would be, light, dark and plain, with nothing in them that is markup', async () => {
    const { data } = await post('/api/admin/mail/templates/preview', WORDS)
    const drawn = adminMailTextRoutes.preview.reply.parse(data)
    expect(drawn.subject).toBe('Welcome to Godwit')
    expect(drawn.text).toContain('Dear Contract draft,\n\nyour account is mei <b>now</b>.')
    for (const html of [drawn.html, drawn.htmlDark]) expect(html).toContain('&#60;b&#62;now&#60;/b&#62;')
    expect(drawn.html).not.toContain('#141414')
    expect(drawn.htmlDark).toContain('background:#141414!important')
  })

  it('begin with the header of the site, in the language of the reader', async () => {
    const drawn = async (locale: 'en-US' | 'zh-CN') =>
      String((await post('/api/admin/mail/templates/preview', { ...WORDS, locale })).data['html'])
    expect(await drawn('zh-CN')).toContain('>塍鹬</span>')
    for (const [key, value] of [
      ['mailHeaderEN', 'Parcel & Co'],
      ['primaryColor', '#0B6E4F'],
    ] as const) {
      const list = await site.ask({ path: '/api/admin/design/settings', token })
      const { settings: look } = adminDesignRoutes.list.reply.parse(list.data)
      const from = look.find((setting) => setting.key === key)?.value
      const json = { changes: [{ key, from, value }] }
      expect((await site.ask({ method: 'PATCH', path: '/api/admin/design/settings', token, json })).code).toBe(200)
    }
    const own = await drawn('en-US')
    expect(own).toContain('>Parcel &#38; Co</span>')
    expect(own).toContain('background:#0B6E4F')
  })

  it('are refused with the placeholder that is unknown or missing, and nothing is saved', async () => {
    const refused = await post('/api/admin/mail/templates/preview', { ...WORDS, subject: 'For {nobody}' })
    expect(refused).toMatchObject({ code: 400, data: { field: 'mail.invitation.subject.en' } })
    expect(String(refused.data['rule'])).toContain('{nobody}')
    expect(await change('mail.sign-in-code.body.en', 'Sign in!')).toMatchObject({
      ...{ code: 400, data: { field: 'mail.sign-in-code.body.en', rule: 'must have {code}' } },
    })
    expect((await change('mail.invitation.subject.en', 'two\nlines')).code).toBe(400)
    expect((await settings()).some(({ isSet }) => isSet)).toBe(false)
  })

  it('are tried by a mail to oneself before they are saved', async () => {
    const sent = await post('/api/admin/mail/templates/test', WORDS)
    expect(sent).toMatchObject({ code: 200, data: { recipient: 'admin@example.org' } })
    const mail = await smtp.mailTo('admin@example.org')
    expect(mail.parsed.subject).toBe('Welcome to Godwit')
    expect(mail.parsed.html).toContain('prefers-color-scheme:dark')
  })

  it('are what the next mail says, have a history, and go back to what is shipped', async () => {
    expect((await change('mail.invitation.subject.en', 'Welcome to {product}, {account}')).code).toBe(200)
    expect((await change('mail.invitation.body.en', 'Dear {name},\r\n\r\nchoose a password:')).code).toBe(200)
    const add = (account: string) =>
      post('/api/admin/users', { account, name: 'Tom', email: `${account}@example.org`, invite: true, language: 1 })
    await add('tom')
    const mail = await smtp.mailTo('tom@example.org')
    expect(mail.parsed.subject).toBe('Welcome to Godwit, tom')
    expect(mail.parsed.text).toMatch(/^Dear Tom,\n\nchoose a password:\n\nhttps:\/\/files\.example\.org\/join#/)
    const history = adminMailSettingRoutes.history.reply.parse(
      (await site.ask({ path: '/api/admin/mail/settings/history', token })).data,
    )
    expect(history.rows.map(({ key, by }) => [key, by])).toEqual([
      ['mail.invitation.body.en', 'admin'],
      ['mail.invitation.subject.en', 'admin'],
    ])
    for (const part of ['subject', 'body']) expect((await change(`mail.invitation.${part}.en`, null)).code).toBe(200)
    await add('lin')
    expect((await smtp.mailTo('lin@example.org')).parsed.subject).toBe('Your account in Godwit')
  })
})
