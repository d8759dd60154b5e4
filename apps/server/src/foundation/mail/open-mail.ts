import { randomHex } from '@godwit/base'
import type { Kernel } from '../../kernel/kernel.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { BRANDING_SETTINGS, openBranding } from '../branding/index.ts'
import type { Settings } from '../settings/index.ts'
import { wordsInForce } from './mail-words.settings.ts'
import { createMailer, type Mailer, type MailerDeps } from './mailer.ts'
import { configuredSender, type SendersDeps } from './senders.service.ts'

/** Everything about mail of one process. */
export interface MailSystem {
  readonly senders: SendersDeps
  readonly mailer: Mailer
  readonly deps: MailerDeps
}

/** @param settings whose name the product has in mails, and whose words they are */
export function openMail(kernel: Kernel, settings: Settings): MailSystem {
  const { config, db, clock, random, log, vault, queue, listening } = kernel
  const senders: SendersDeps = { db, clock, vault, configured: configuredSender(config) }
  // Without a `publicUrl`, where this process listens.
  const url = () => config.publicUrl.replace(/\/+$/, '') || `http://${listening.host}:${listening.port}`
  const branding = openBranding({ db, clock })
  const deps: MailerDeps = {
    ...senders,
    ...{ queue, log, url },
    async productName(locale) {
      const { productNameZH, productNameEN } = await settings.of(BRANDING_SETTINGS)
      return locale === 'zh-CN' ? productNameZH : productNameEN
    },
    async header(locale) {
      const look = await settings.of(BRANDING_SETTINGS)
      if (look.mailHeaderSwitch === 0) return undefined
      const [own, product] =
        locale === 'zh-CN' ? [look.mailHeaderZH, look.productNameZH] : [look.mailHeaderEN, look.productNameEN]
      const { logo } = await branding.addresses()
      return { name: own || product, color: look.primaryColor, logo: logo === '' ? '' : url() + logo }
    },
    words: (locale, template) => wordsInForce(settings, locale, template),
    outbound: createOutbound(config['outbound.allow']),
    helloName: config.publicUrl === '' ? 'localhost' : new URL(config.publicUrl).hostname,
    newMessageId: () => randomHex(random, 16),
  }
  return { senders, mailer: createMailer(deps), deps }
}
