import { type Godwit, launchGodwit, launchSmtp, type Smtp } from '@godwit/testkit'
import { test as base } from '@playwright/test'
import { operator } from './operator.ts'

export interface MailHouse {
  readonly godwit: Godwit
  readonly smtp: Smtp
}

/** A server that sends by a real mail server, lets people reset their password, and may speak to this computer. */
export const test = base.extend<object, { readonly house: MailHouse }>({
  house: [
    // Playwright reads what a fixture needs from this pattern, so it must be one.
    async ({}, use) => {
      const smtp = await launchSmtp()
      const godwit = await launchGodwit({
        env: {
          GODWIT_MAIL_HOST: '127.0.0.1',
          GODWIT_MAIL_PORT: String(smtp.plainPort),
          GODWIT_MAIL_ENCRYPTION: 'none',
          GODWIT_MAIL_ACCOUNT: smtp.account,
          GODWIT_OUTBOUND_ALLOW: '127.0.0.1,localhost',
          NODE_EXTRA_CA_CERTS: smtp.caFile,
        },
      })
      await operator(godwit, 'site', 'set', 'resetPasswordSwitch', '1')
      await use({ godwit, smtp })
      await godwit.stop()
      await smtp.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ house }, use) => use(house.godwit.url),
})

export { expect } from '@playwright/test'

/** The code in the last of so many mails to an address. */
export async function codeTo(smtp: Smtp, address: string, count = 1): Promise<string> {
  const { parsed } = await smtp.mailTo(address, count)
  const code = /\b\d{6}\b/.exec(parsed.text ?? '')?.[0]
  if (code === undefined) throw new Error(`no code in: ${parsed.text}`)
  return code
}
