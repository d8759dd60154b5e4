import type { Clock } from '@godwit/base'
import {
  decodePassword,
  DEFAULT_MAIL_PROVIDER,
  MAIL_ENCRYPTION,
  MAIL_PROVIDERS,
  type MailSenderInfo,
  type MailSenderInput,
} from '@godwit/contract'
import type { Config } from '../../kernel/config/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SenderRow } from './mail.schema.ts'
import { sendersStore } from './mail.store.ts'
import { keepsDestination, requireSender } from './senders.policy.ts'
import type { SmtpServer } from './smtp.ts'

/** Owner of the system's sender; accounts have ids of 32 characters. */
export const SYSTEM = ''

export interface SendersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  /** Mail server of the configuration file, which goes before what was stored for the system. */
  readonly configured: SmtpServer | undefined
}

const PURPOSE = 'mail-sender'
const FRESH = MAIL_PROVIDERS[DEFAULT_MAIL_PROVIDER]

/** The sender that the configuration names; undefined when it names none. */
export function configuredSender(config: Config): SmtpServer | undefined {
  if (config['mail.host'] === '') return undefined
  return {
    host: config['mail.host'],
    port: config['mail.port'],
    encryption: MAIL_ENCRYPTION[config['mail.encryption']],
    account: config['mail.account'],
    password: config['mail.password'],
    fromName: config['mail.fromName'],
    // Whoever writes the configuration rules the host already.
    isTrusted: true,
  }
}

/** What the form shows: the stored sender, or the defaults of an empty form. The password is never among it. */
export async function senderInfo(deps: SendersDeps, ownerId: string): Promise<MailSenderInfo> {
  const row = await sendersStore.of(deps.db, ownerId)
  return {
    emailFromName: row?.from_name ?? '',
    emailType: row?.provider ?? FRESH.wire,
    emailAccount: row?.account ?? '',
    emailPassword: '',
    emailPasswordSet: (row?.password_sealed ?? '') !== '',
    emailSmtpHost: row?.host ?? FRESH.host,
    emailSmtpPort: row?.port ?? FRESH.port,
    emailEncryptType: row?.encryption ?? FRESH.encryption,
    configured: row !== undefined,
  }
}

/**
 * @param record commits with it
 * @throws AppError PARAMETER_INVALID, VALUE_REQUIRED when a new destination comes without its password
 */
export async function saveSender(
  deps: SendersDeps,
  ownerId: string,
  wanted: MailSenderInput,
  record?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { password, ...server } = await wantedServer(deps, ownerId, wanted)
  const row: SenderRow = {
    owner_id: ownerId,
    from_name: server.fromName,
    provider: wanted.emailType,
    account: server.account,
    password_sealed: password === '' ? '' : deps.vault.seal(PURPOSE, password),
    host: server.host,
    port: server.port,
    encryption: server.encryption,
    updated_at: deps.clock.now(),
  }
  await inTransaction(deps.db, async (tx) => {
    await sendersStore.put(tx, row)
    await record?.(tx)
  })
}

/**
 * The server that an input means, with the stored password where the input leaves it out.
 * @throws as {@link saveSender}
 */
export async function wantedServer(deps: SendersDeps, ownerId: string, wanted: MailSenderInput): Promise<SmtpServer> {
  requireSender(wanted)
  const server = {
    fromName: wanted.emailFromName,
    account: wanted.emailAccount,
    host: wanted.emailSmtpHost,
    port: wanted.emailSmtpPort,
    encryption: wanted.emailEncryptType,
  }
  const given = decodePassword(wanted.emailPassword)
  if (given === undefined || given.includes('\0')) throw new AppError('PARAMETER_INVALID', { field: 'emailPassword' })
  if (given !== '') return { ...server, password: given }
  const stored = await sendersStore.of(deps.db, ownerId)
  if (stored === undefined || stored.password_sealed === '' || !keepsDestination(stored, server)) {
    throw new AppError('VALUE_REQUIRED', { field: 'emailPassword' })
  }
  return { ...server, password: deps.vault.open(PURPOSE, stored.password_sealed) }
}

/** @throws VaultError when the stored password cannot be read with this installation's key */
export async function serverOf(deps: SendersDeps, ownerId: string): Promise<SmtpServer | undefined> {
  if (ownerId === SYSTEM && deps.configured !== undefined) return deps.configured
  const row = await sendersStore.of(deps.db, ownerId)
  if (row === undefined) return undefined
  return {
    fromName: row.from_name,
    account: row.account,
    host: row.host,
    port: row.port,
    encryption: row.encryption,
    password: row.password_sealed === '' ? '' : deps.vault.open(PURPOSE, row.password_sealed),
  }
}

/** Whether there is one; its password stays sealed. */
export async function hasSender(
  { db, configured }: { readonly db: Db | Tx; readonly configured: SmtpServer | undefined },
  ownerId: string,
): Promise<boolean> {
  return (ownerId === SYSTEM && configured !== undefined) || (await sendersStore.of(db, ownerId)) !== undefined
}

/** Address of the account's own sender; '' without one. */
export async function senderAddress(deps: Pick<SendersDeps, 'db' | 'configured'>, ownerId: string): Promise<string> {
  if (ownerId === SYSTEM && deps.configured !== undefined) return deps.configured.account
  return (await sendersStore.of(deps.db, ownerId))?.account ?? ''
}
