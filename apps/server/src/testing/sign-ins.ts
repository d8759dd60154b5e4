import { secureRandom } from '@godwit/base'
import { MAIL_ENCRYPTION } from '@godwit/contract'
import type { Smtp } from '@godwit/testkit'
import { createMailer, mailJobs, ownMailJobs, type MailerDeps, type SendersDeps } from '../foundation/mail/index.ts'
import { AUTH_SETTINGS, createSessions, type AuthDeps, type AuthSwitches } from '../identity/auth/index.ts'
import type { UsersDeps } from '../identity/users/index.ts'
import { createLimits, createMemoryCounts } from '../kernel/limits/index.ts'
import { openVault } from '../kernel/crypto/index.ts'
import { createOutbound } from '../kernel/outbound/index.ts'
import { createQueue } from '../kernel/queue/index.ts'
import { defaultsOf } from '../kernel/setting.ts'
import type { World } from './worlds.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const IDLE_MS = 30 * 60_000
export const LOCK_RULE = { attempts: 5, windowMs: 600_000 } as const
export const SITE_URL = 'https://files.example.org'

/** Everything around signing in, in a world of its own; mails go to a real mail server when there is one. */
export interface SignIns {
  readonly auth: AuthDeps
  readonly users: UsersDeps
  readonly senders: SendersDeps
  readonly mailerDeps: MailerDeps
  /** Change them at will. */
  readonly switches: { -readonly [Name in keyof AuthSwitches]: AuthSwitches[Name] }
  stop(): Promise<void>
}

export function openSignIns(world: World, smtp?: Smtp): SignIns {
  const { clock, bus, ids, database, folder } = world
  const { db, dialect } = database
  const vault = openVault(folder, secureRandom)
  const queue = createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT })
  const configured = smtp && {
    ...{ host: '127.0.0.1', port: smtp.starttlsPort, encryption: MAIL_ENCRYPTION.starttls, isTrusted: true },
    ...{ account: smtp.account, password: smtp.password, fromName: '' },
  }
  const senders: SendersDeps = { db, clock, vault, configured }
  const mailerDeps: MailerDeps = {
    ...senders,
    queue,
    log: SILENT,
    url: () => SITE_URL,
    productName: (locale) => Promise.resolve(locale === 'zh-CN' ? '塍鹬' : 'Godwit'),
    outbound: createOutbound([]),
    helloName: 'files.example.org',
    newMessageId: () => ids.next(),
    ...(smtp === undefined ? {} : { ca: smtp.ca }),
  }
  const mailer = createMailer(mailerDeps)
  queue.handle({ ...mailJobs(mailerDeps), ...ownMailJobs(mailerDeps) })
  queue.start()
  const users: UsersDeps = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
  const switches: SignIns['switches'] = { ...defaultsOf(AUTH_SETTINGS) }
  return {
    users,
    senders,
    mailerDeps,
    switches,
    auth: {
      ...{ db, dialect, clock, vault, mailer, users },
      random: secureRandom,
      sessions: createSessions({ db, clock, random: secureRandom, ids, bus, idleMs: IDLE_MS }),
      accountRule: () => Promise.resolve(LOCK_RULE),
      versions: { protocol: '1', client: '1.0.0' },
      switches: () => Promise.resolve(switches),
      invitationDays: () => Promise.resolve(7),
      lookUps: createLimits(createMemoryCounts(clock)).callLimit({ name: 'look-ups', calls: 60, periodMs: 60_000 }),
    },
    stop: () => queue.stop(),
  }
}
