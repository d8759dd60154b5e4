import type { MailSenderInfo } from '@godwit/contract'
import { MAIL_PROVIDERS } from '@godwit/contract/foundation/mail-providers'
import { describe, expect, it } from 'vitest'
import { keepsPassword, presetOf, senderFields, senderInput, withEncryption } from './mail-sender.ts'

const STORED: MailSenderInfo = {
  emailFromName: 'Mei',
  emailType: 9,
  emailAccount: 'mei@example.org',
  emailPassword: '',
  emailPasswordSet: true,
  emailSmtpHost: 'smtp.example.org',
  emailSmtpPort: 465,
  emailEncryptType: 1,
  configured: true,
}

describe('the form of a mail sender', () => {
  it('sends back what was stored when nothing was changed', () => {
    const { emailPasswordSet: _set, configured: _configured, ...stored } = STORED
    expect(senderInput(senderFields(STORED))).toEqual(stored)
  })

  it.each(Object.values(MAIL_PROVIDERS))(
    '$label brings its port and its encryption, and its server when it has one',
    (provider) => {
      const preset = presetOf(String(provider.wire))
      expect(preset).toMatchObject({ port: String(provider.port), encryption: String(provider.encryption) })
      expect(preset.host).toBe(provider.host === '' ? undefined : provider.host)
    },
  )

  it.each([
    ['465', '2', '587'],
    ['587', '0', '25'],
    ['25', '1', '465'],
    ['2525', '2', '2525'],
  ])('on port %s, encryption %s goes with port %s', (port, encryption, expected) =>
    expect({ port, ...withEncryption({ port }, encryption) }).toEqual({ port: expected, encryption }),
  )

  it('keeps the stored password only for the same account on the same server', () => {
    const fields = senderFields(STORED)
    expect(keepsPassword(fields, STORED)).toBe(true)
    expect(keepsPassword({ ...fields, from: 'Li' }, STORED)).toBe(true)
    for (const other of [{ host: 'evil.example' }, { port: '587' }, { encryption: '0' }, { account: 'li@example.org' }])
      expect(keepsPassword({ ...fields, ...other }, STORED)).toBe(false)
    expect(keepsPassword(fields, { ...STORED, emailPasswordSet: false })).toBe(false)
  })
})
