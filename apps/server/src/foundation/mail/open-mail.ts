import { randomHex } from '@godwit/base'
import type { Locale } from '@godwit/i18n'
import type { Kernel } from '../../kernel/kernel.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { createMailer, type Mailer, type MailerDeps } from './mailer.ts'
import { configuredSender, type SendersDeps } from './senders.service.ts'

/** Everything about mail of one process. */
export interface MailSystem {
  readonly senders: SendersDeps
  readonly mailer: Mailer
  readonly deps: MailerDeps
}

export function openMail(kernel: Kernel, productName: (locale: Locale) => Promise<string>): MailSystem {
  const { config, db, clock, random, log, vault, queue, listening } = kernel
  const senders: SendersDeps = { db, clock, vault, configured: configuredSender(config) }
  // Without a `publicUrl`, where this process listens.
  const url = () => config.publicUrl.replace(/\/+$/, '') || `http://${listening.host}:${listening.port}`
  const deps: MailerDeps = {
    ...senders,
    ...{ queue, log, url, productName },
    outbound: createOutbound(config['outbound.allow']),
    helloName: config.publicUrl === '' ? 'localhost' : new URL(config.publicUrl).hostname,
    newMessageId: () => randomHex(random, 16),
  }
  return { senders, mailer: createMailer(deps), deps }
}
