import { describe, expect, it } from 'vitest'
import {
  DEFAULT_MAIL_PROVIDER,
  MAIL_ENCRYPTION,
  MAIL_LANGUAGE,
  MAIL_PROVIDERS,
  type MailProvider,
} from './mail-providers.ts'

const ALL = Object.values(MAIL_PROVIDERS) as readonly MailProvider[]

describe('mail providers', () => {
  it('have the numbers of the specification', () => {
    expect(Object.fromEntries(ALL.map(({ label, wire }) => [label, wire]))).toEqual({
      Gmail: 0,
      AOL: 1,
      iCloud: 2,
      MSN: 3,
      Microsoft365: 4,
      Outlook: 5,
      Hotmail: 6,
      Live: 7,
      Yahoo: 8,
      Other: 9,
    })
    expect(MAIL_ENCRYPTION).toEqual({ none: 0, ssl: 1, starttls: 2 })
    expect(MAIL_LANGUAGE).toEqual({ 'zh-CN': 0, 'en-US': 1 })
  })

  it.each(['gmail', 'aol'] as const)('%s allows only SSL, on port 465', (name) => {
    expect(MAIL_PROVIDERS[name]).toMatchObject({ port: 465, encryption: 1, encryptions: [1] })
  })

  it.each(['icloud', 'msn', 'microsoft365', 'outlook', 'hotmail', 'live'] as const)(
    '%s allows only STARTTLS, on port 587',
    (name) => {
      expect(MAIL_PROVIDERS[name]).toMatchObject({ port: 587, encryption: 2, encryptions: [2] })
    },
  )

  it.each(['yahoo', 'other'] as const)('%s allows SSL, STARTTLS or none, and begins with SSL on port 465', (name) => {
    expect(MAIL_PROVIDERS[name]).toMatchObject({ port: 465, encryption: 1, encryptions: [1, 2, 0] })
  })

  it('begin with Other, and suggest a host for every known one', () => {
    expect(DEFAULT_MAIL_PROVIDER).toBe('other')
    expect(ALL.filter(({ host }) => host === '').map(({ label }) => label)).toEqual(['Other'])
    expect(ALL.every(({ encryption, encryptions }) => encryptions.includes(encryption))).toBe(true)
  })
})
