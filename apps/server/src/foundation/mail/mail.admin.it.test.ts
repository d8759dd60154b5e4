import { adminLogRoutes, adminMailRoutes, encodePassword } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

describe('the mail sender of the system in the console', () => {
  let smtp: Smtp
  let site: Site
  let token = ''

  beforeAll(async () => {
    smtp = await launchSmtp()
    site = await openSite({ env: { GODWIT_OUTBOUND_ALLOW: '127.0.0.1', NODE_EXTRA_CA_CERTS: smtp.caFile } })
    token = (await site.signIn('admin')).token
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await smtp.stop()
  })

  const sender = (password = '') => ({
    ...{ emailFromName: 'Harbor', emailType: 9, emailAccount: smtp.account, emailPassword: encodePassword(password) },
    ...{ emailSmtpHost: '127.0.0.1', emailSmtpPort: smtp.starttlsPort, emailEncryptType: 2 },
  })
  const post = (path: string, json: object) =>
    site.ask({ method: 'POST', path: `/api/admin/mail/${path}`, token, json })
  const info = async () =>
    adminMailRoutes.info.reply.parse((await site.ask({ path: '/api/admin/mail/sender', token })).data)

  it('is tried before it is saved, with what the mail server says', async () => {
    expect(await info()).toMatchObject({ configured: false, isConfigured: false })
    expect(await post('test', sender())).toMatchObject({ code: 4021, data: { field: 'emailPassword' } })
    const wrong = await post('test', sender('not-it'))
    expect(wrong).toMatchObject({ code: 5431, data: { stage: 'sign-in', reason: 'credentials' } })
    const closed = await post('test', { ...sender(smtp.password), emailSmtpPort: 9 })
    expect(closed).toMatchObject({ code: 5432, data: { stage: 'connect' } })
    // The first administrator has no address, so the mail goes to the sender.
    expect((await post('test', sender(smtp.password))).data).toMatchObject({ recipient: smtp.account })
    expect(await info()).toMatchObject({ configured: false })
  })

  it('is saved without showing its password, and the operation log says who changed it', async () => {
    expect((await post('sender', sender(smtp.password))).code).toBe(200)
    expect(await info()).toMatchObject({ configured: true, emailPassword: '', emailPasswordSet: true })
    expect((await site.ask({ path: '/api/service/info' })).data['emailAccount']).toBe(smtp.account)
    // The stored password stays as long as the server stays the same.
    expect((await post('sender', { ...sender(), emailFromName: 'Quay' })).code).toBe(200)
    expect((await post('sender', { ...sender(), emailSmtpHost: 'mail.example.org' })).code).toBe(4021)
    const log = await site.ask({ path: '/api/admin/log/operations?targetKind=mail', token })
    const { rows } = adminLogRoutes.operations.reply.parse(log.data)
    expect(log.text).not.toContain(smtp.password)
    const edits = rows.filter(({ operation }) => operation === 'mail.edit')
    expect(edits.map(({ actor, result }) => [actor, result])).toEqual([
      ['admin', 'VALUE_REQUIRED'],
      ['admin', 'ok'],
      ['admin', 'ok'],
    ])
  })
})
