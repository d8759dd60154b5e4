import { EMAIL_SENDER, type AccountTransfer, type GroupTransfer, type SpaceMemberTransfer } from '@godwit/contract'
import { createFilter } from '@godwit/transfer/filter'
import { ACCOUNT_WAYS, TRANSFER_RULES } from '../../content/spaces/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import { createSettingsEditor, settingRegistry, settingsStore, type Settings } from '../../foundation/settings/index.ts'
import { preferencesStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Clock } from '@godwit/base'

export interface AccountTransferDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly dialect: DialectName
  readonly settings: Pick<Settings, 'forget'>
}

const WAYS = ['both', 'client', 'web'] as const
const LINK_MAIL = ['server', 'program'] as const

/** What is set for the account itself; null where its space or the site decides. */
export async function transferOf(db: Db | Tx, userId: string): Promise<AccountTransfer> {
  const rows = await settingsStore.at(db, [{ scope: 'user', scopeId: userId }])
  return transferFrom(rows, (await preferencesStore.of(db, userId)).email_sender_type)
}

/** The same of many accounts, in two queries. */
export async function transfersOf(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, AccountTransfer>> {
  if (userIds.length === 0) return new Map()
  const places = userIds.map((scopeId) => ({ scope: 'user', scopeId }) as const)
  const rows = Map.groupBy(await settingsStore.at(db, places), ({ scope_id: id }) => id)
  const senders = await preferencesStore.sendersOf(db, userIds)
  return new Map(
    userIds.map((id) => [id, transferFrom(rows.get(id) ?? [], senders.get(id) ?? EMAIL_SENDER.own)] as const),
  )
}

function transferFrom(
  rows: ReadonlyArray<{ readonly name: string; readonly value: string }>,
  sender: number,
): AccountTransfer {
  const own = storedOf(rows)
  const mode = own.get('linkMailMode')
  return {
    mailSender: sender === EMAIL_SENDER.own ? 'own' : 'system',
    linkMail: typeof mode === 'number' ? (LINK_MAIL[mode] ?? null) : null,
    ...waysFrom(own),
  }
}

function storedOf(
  rows: ReadonlyArray<{ readonly name: string; readonly value: string }>,
): ReadonlyMap<string, unknown> {
  return new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
}

/** How somebody transfers, out of the settings that they have of their own. */
export function waysFrom(own: ReadonlyMap<string, unknown>): SpaceMemberTransfer {
  const number = (name: string): number | null => {
    const value = own.get(name)
    return typeof value === 'number' ? value : null
  }
  const flag = (name: string): boolean | null => (own.has(name) ? own.get(name) === 1 : null)
  const patterns = own.get('transIgnoreReg')
  const [hasPatterns, hasSize] = [flag('transIgnoreRegSwitch'), flag('transIgnoreSizeSwitch')]
  return {
    ways: WAYS[number('transferType') ?? -1] ?? null,
    ignorePatterns: hasPatterns === null ? null : hasPatterns && typeof patterns === 'string' ? patterns : '',
    ignoreAboveMb: hasSize === null ? null : hasSize ? (number('transIgnoreSize') ?? 0) : 0,
    skipSameName: flag('transSkipSameName'),
    lockFilters: flag('forbidClientFilterSwitch'),
    sync: syncFrom(flag('transSyncSwitch'), number('transSyncTriggeringCondition')),
  }
}

function syncFrom(isOn: boolean | null, condition: number | null): SpaceMemberTransfer['sync'] {
  if (isOn === null) return null
  return !isOn ? 'off' : condition === 1 ? 'rest' : 'change'
}

/**
 * @param held what is set already: another edition may have set it
 * @throws AppError PARAMETER_INVALID naming the pattern that is none, EDITION_FEATURE_MISSING
 */
export async function requireTransfer(
  { licence }: { readonly licence: Pick<Licence, 'requireFeature'> },
  { ignorePatterns, sync }: Pick<SpaceMemberTransfer, 'ignorePatterns' | 'sync'>,
  held?: Pick<SpaceMemberTransfer, 'sync'>,
): Promise<void> {
  requirePatterns(ignorePatterns)
  const isOn = sync === 'change' || sync === 'rest'
  if (isOn && sync !== held?.sync) await licence.requireFeature('sync', 'transfer.sync')
}

function requirePatterns(ignorePatterns: string | null): void {
  for (const glob of (ignorePatterns ?? '').split(';').map((each) => each.trim())) {
    try {
      if (glob !== '') createFilter({ exclude: [glob] })
    } catch (thrown) {
      const details = { field: 'transfer.ignorePatterns', entry: glob }
      throw new AppError('PARAMETER_INVALID', details, { cause: thrown })
    }
  }
}

/** Sets what the form of an account says, as settings of the account, in the transaction of its other fields. */
export async function setTransfer(
  deps: AccountTransferDeps,
  tx: Tx,
  { ctx, userId, transfer }: { readonly ctx: UserCtx; readonly userId: string; readonly transfer: AccountTransfer },
): Promise<void> {
  const email_sender_type = EMAIL_SENDER[transfer.mailSender]
  if ((await preferencesStore.of(tx, userId)).email_sender_type !== email_sender_type)
    await preferencesStore.change(tx, userId, { email_sender_type })
  const registry = settingRegistry([TRANSFER_RULES, ACCOUNT_WAYS])
  const editor = createSettingsEditor({ ...deps, db: tx, registry })
  const by = { kind: 'account', id: ctx.principal.id, isAdmin: true } as const
  const changes = Object.entries(valuesOf(transfer)).map(([key, value]) => ({ key, value }))
  await editor.setAll(changes, { target: { userId }, by, door: 'http' })
}

/** What is set for libraries of groups, in one query. */
export async function groupTransfersOf(
  db: Db | Tx,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, GroupTransfer>> {
  if (groupIds.length === 0) return new Map()
  const places = groupIds.map((id) => ({ scope: 'group', scopeId: String(id) }) as const)
  const rows = Map.groupBy(await settingsStore.at(db, places), ({ scope_id: id }) => id)
  return new Map(groupIds.map((id) => [id, filtersOf(waysFrom(storedOf(rows.get(String(id)) ?? [])))] as const))
}

/** Sets the filters of a group as settings of the group, in the transaction of its other fields. */
export async function setGroupTransfer(
  deps: Omit<AccountTransferDeps, 'settings'>,
  tx: Tx,
  { ctx, groupId, transfer }: { readonly ctx: UserCtx; readonly groupId: number; readonly transfer: GroupTransfer },
): Promise<void> {
  const editor = createSettingsEditor({ ...deps, db: tx, registry: settingRegistry([TRANSFER_RULES]) })
  const by = { kind: 'account', id: ctx.principal.id, isAdmin: true } as const
  const { transferType: _, ...values } = settingsOf({ ...transfer, ways: null })
  const changes = Object.entries(values).map(([key, value]) => ({ key, value }))
  await editor.setAll(changes, { target: { groupId }, by, door: 'http' })
}

function filtersOf(transfer: SpaceMemberTransfer): GroupTransfer {
  const { ways: _, ...filters } = transfer
  return filters
}

function valuesOf({ linkMail, ...transfer }: AccountTransfer): Readonly<Record<string, number | string | null>> {
  return { linkMailMode: linkMail === null ? null : LINK_MAIL.indexOf(linkMail), ...settingsOf(transfer) }
}

/** The settings that say how somebody transfers; null where they have none of their own. */
export function settingsOf(transfer: SpaceMemberTransfer): Readonly<Record<string, number | string | null>> {
  const { ways, ignorePatterns: patterns, ignoreAboveMb: size, skipSameName, lockFilters, sync } = transfer
  const flag = (isOn: boolean | null): number | null => (isOn === null ? null : isOn ? 1 : 0)
  return {
    transferType: ways === null ? null : WAYS.indexOf(ways),
    transIgnoreRegSwitch: flag(patterns === null ? null : patterns !== ''),
    transIgnoreReg: patterns === '' ? null : patterns,
    transIgnoreSizeSwitch: flag(size === null ? null : size > 0),
    transIgnoreSize: size === 0 ? null : size,
    transSkipSameName: flag(skipSameName),
    forbidClientFilterSwitch: flag(lockFilters),
    transSyncSwitch: flag(sync === null ? null : sync !== 'off'),
    transSyncTriggeringCondition: sync === 'rest' ? 1 : sync === 'change' ? 0 : null,
  }
}
