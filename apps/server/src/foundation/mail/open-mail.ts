import { randomHex, type Clock, type Random } from '@godwit/base'
import type { Locale } from '@godwit/i18n'
import type { Config } from '../../kernel/config/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Database } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { configuredSender, type SendersDeps } from './senders.service.ts'

export interface MailOptions {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly log: Log
  readonly vault: Vault
  /** Where this process listens, for an installation without a `publicUrl`. */
  readonly port: () => number
  readonly productName: (locale: Locale) => Promise<string>
}

/** Everything about mail of one process. */
export interface MailSystem {
  readonly senders: SendersDeps
  readonly mailer: Mailer
  /** Apart from the other jobs: a code for a sign-in must not wait behind a folder that is copied. */
  readonly queue: Queue
}

export function openMail(options: MailOptions): MailSystem {
  const { config, database, clock, random, log, vault } = options
  const queue = createQueue(options)
  const senders: SendersDeps = { db: database.db, clock, vault, configured: configuredSender(config) }
  const url = () => config.publicUrl.replace(/\/+$/, '') || `http://${config.host}:${options.port()}`
  const mailer = createMailer({
    ...senders,
    queue,
    log,
    url,
    productName: options.productName,
    outbound: createOutbound(config['outbound.allow']),
    helloName: config.publicUrl === '' ? 'localhost' : new URL(config.publicUrl).hostname,
    newMessageId: () => randomHex(random, 16),
  })
  return { senders, mailer, queue }
}
