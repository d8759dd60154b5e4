import { type AdminDevice, upgradeFailureOf } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ClientDeviceRow, DeviceChange, DeviceLoginRow } from './devices.schema.ts'

export interface DevicesFilter {
  /** Part of an account, a name or an address, folded; '' fits all. */
  readonly text: string
  /** What the caller's scope leaves; undefined: everything. */
  readonly onlyUserId: string | undefined
}

/** A page of devices as they are at `now`. */
interface DevicesPage {
  readonly page: number
  readonly size: number
  readonly now: number
}

/** A device as this layer knows it: what it transfers is known above. */
export type KnownDevice = Omit<AdminDevice, 'running'>

/** Values of one statement. */
const IDS_PER_CALL = 1000

/** The only SQL over sign-ins by code and over devices. */
export const devicesStore = {
  async insertLogin(db: Db | Tx, row: DeviceLoginRow): Promise<void> {
    await db.insertInto('device_logins').values(row).execute()
  },

  loginBySecret: (db: Db | Tx, hash: string): Promise<DeviceLoginRow | undefined> =>
    db.selectFrom('device_logins').selectAll().where('secret_hash', '=', hash).executeTakeFirst(),

  loginByCode: (db: Db | Tx, code: string): Promise<DeviceLoginRow | undefined> =>
    db.selectFrom('device_logins').selectAll().where('user_code', '=', code).executeTakeFirst(),

  /** Of two that decide at once one does. @returns whether this one did */
  async decide(db: Db, id: string, change: Pick<DeviceLoginRow, 'state' | 'user_id' | 'stamp'>): Promise<boolean> {
    const pending = db.updateTable('device_logins').set(change).where('id', '=', id).where('state', '=', 'pending')
    return (await pending.executeTakeFirst()).numUpdatedRows > 0n
  },

  /** @returns whether it was there: of two that redeem it at once one gets it */
  async removeLogin(db: Db | Tx, id: string): Promise<boolean> {
    return (await db.deleteFrom('device_logins').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
  },

  async forgetLogins(db: Db, before: number): Promise<void> {
    await db.deleteFrom('device_logins').where('expires_at', '<', before).execute()
  },

  async put(db: Db | Tx, row: ClientDeviceRow): Promise<void> {
    const { api_token_id: id, ...change } = row
    const known = await db.updateTable('client_devices').set(change).where('api_token_id', '=', id).executeTakeFirst()
    if (known.numUpdatedRows === 0n) await db.insertInto('client_devices').values(row).execute()
  },

  /** Of a sign-in by code. */
  async insert(db: Db | Tx, row: ClientDeviceRow): Promise<void> {
    await db
      .insertInto('client_devices')
      .values({ ...row, by_code: 1 })
      .execute()
  },

  async isByCode(db: Db, apiTokenId: string): Promise<boolean> {
    const found = db.selectFrom('client_devices').select('by_code').where('api_token_id', '=', apiTokenId)
    return (await found.executeTakeFirst())?.by_code === 1
  },

  /** Of a device that is known; a token without one leaves no trace. */
  async change(db: Db, apiTokenId: string, change: DeviceChange): Promise<void> {
    await db.updateTable('client_devices').set(change).where('api_token_id', '=', apiTokenId).execute()
  },

  /** The same change of many. */
  async changeAll(db: Db, apiTokenIds: readonly string[], change: DeviceChange): Promise<void> {
    for (let at = 0; at < apiTokenIds.length; at += IDS_PER_CALL) {
      const ids = apiTokenIds.slice(at, at + IDS_PER_CALL)
      await db.updateTable('client_devices').set(change).where('api_token_id', 'in', ids).execute()
    }
  },

  async page(db: Db, filter: DevicesFilter, { page, size, now }: DevicesPage) {
    const found = fitting(db, filter)
    const rows = await chosen(found)
      .orderBy('client_devices.last_seen_at', 'desc')
      .orderBy('api_tokens.id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const count = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows: rows.map((row) => present(row, now)), total: Number(count?.n ?? 0) }
  },

  async byIds(db: Db, ids: readonly string[], onlyUserId: string | undefined): Promise<ChosenRow[]> {
    return chosen(fitting(db, { text: '', onlyUserId }))
      .where('api_tokens.id', 'in', ids)
      .execute()
  },
}

function fitting(db: Db, { text, onlyUserId }: DevicesFilter) {
  const like = `%${text.replaceAll(/[%_\\]/g, '')}%`
  return db
    .selectFrom('client_devices')
    .innerJoin('api_tokens', 'api_tokens.id', 'client_devices.api_token_id')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .$if(onlyUserId !== undefined, (query) => query.where('api_tokens.user_id', '=', onlyUserId ?? ''))
    .$if(text !== '', (query) =>
      query.where((any) =>
        any.or([
          any('users.account_key', 'like', like),
          any(any.fn<string>('lower', ['client_devices.name']), 'like', like),
          any('client_devices.address', 'like', like),
        ]),
      ),
    )
}

function chosen(found: ReturnType<typeof fitting>) {
  return found
    .select(['api_tokens.id', 'users.id as userId', 'users.account', 'users.name as userName'])
    .select(['client_devices.name', 'client_devices.platform', 'client_devices.version', 'client_devices.address'])
    .select(['api_tokens.created_at as createdAt', 'api_tokens.last_used_at as usedAt'])
    .select(['client_devices.last_seen_at as seenAt', 'client_devices.connected_until as connectedUntil'])
    .select(['client_devices.upgrade_version as toVersion', 'client_devices.upgrade_reason as reason'])
}

type ChosenRow = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number]

function present(
  { usedAt, seenAt, createdAt, connectedUntil, toVersion, reason, ...row }: ChosenRow,
  now: number,
): KnownDevice {
  const upgradeFailure = reason === '' ? null : upgradeFailureOf({ version: toVersion, reason })
  const lastSeenAt = Math.max(Number(usedAt ?? 0), Number(seenAt))
  return { ...row, createdAt: Number(createdAt), lastSeenAt, isConnected: Number(connectedUntil) > now, upgradeFailure }
}
