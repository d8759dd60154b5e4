import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, file } = site

describe('godwit mail', () => {
  let smtp: Smtp
  beforeAll(async () => void (smtp = await launchSmtp()))
  afterAll(async () => smtp.stop())

  const set = (more: string) => `mail set --account files@example.org --smtp-host 127.0.0.1 ${more}`

  it('sets the sender of the system, shows it without its password, and tries it', async () => {
    expect(await godwit('mail show')).toBe(0)
    expect(site.out).toContain('no mail sender yet')
    expect(await godwit('mail test --to mei@example.org')).toBe(EXIT.refused)
    expect(site.err).toContain('[5430]')
    expect(await godwit(set(`--smtp-port ${smtp.plainPort} --encryption none`))).toBe(EXIT.refused)
    expect(site.err).toContain('emailPassword')
    const password = file('mail-password', 'Planted-Mail-8x\n')
    expect(await godwit(set(`--smtp-port ${smtp.plainPort} --encryption none --password-file ${password}`))).toBe(0)
    await godwit('mail show --json')
    expect(JSON.parse(site.out)).toMatchObject({ source: 'stored', account: 'files@example.org', passwordSet: true })
    expect(site.out).not.toContain('Planted')
    const rows = await site.world.database.db.selectFrom('mail_senders').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Planted')
    expect(await godwit('mail test --to mei@example.org --outbound-allow 127.0.0.1')).toBe(0)
    expect((await smtp.mailTo('mei@example.org')).parsed.from?.address).toBe('files@example.org')
    expect(await godwit('mail test --to mei@example.org')).toBe(EXIT.refused)
    expect(site.err).toContain('outbound.allow')
    expect(await godwit('mail test --to nonsense')).toBe(EXIT.usage)
  })

  it('takes the sender of the configuration before the stored one', async () => {
    const environment = {
      GODWIT_DATA: site.world.folder,
      GODWIT_MAIL_HOST: '127.0.0.1',
      GODWIT_MAIL_PORT: String(smtp.plainPort),
      GODWIT_MAIL_ENCRYPTION: 'none',
      GODWIT_MAIL_ACCOUNT: 'files@example.org',
    }
    expect(await godwit('mail test --to tom@example.org --json', { environment })).toBe(0)
    expect(JSON.parse(site.out)).toMatchObject({ recipient: 'tom@example.org' })
    const { parsed } = await smtp.mailTo('tom@example.org')
    expect(parsed.from).toMatchObject({ name: 'Godwit', address: 'files@example.org' })
    await godwit('mail show --json', { environment })
    expect(JSON.parse(site.out)).toMatchObject({ source: 'configuration', passwordSet: false })
  })

  it.each([
    '--provider none',
    '--encryption tls',
    '--smtp-port x',
    '--smtp-port 70000',
    '--provider gmail --encryption none',
  ])('refuses %s', async (words) => expect(await godwit(set(words))).not.toBe(0))
})
