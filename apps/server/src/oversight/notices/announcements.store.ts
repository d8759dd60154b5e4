import type { AnnouncementState, Audience } from '@godwit/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { AnnouncementRow } from './announcements.schema.ts'

/** An audience whose departments stand there with all below them. */
export type WholeAudience = Audience

/** A person to reach. */
export interface Recipient {
  readonly id: string
  /** '' for whoever has none, and for an account that cannot be used now: its mailbox may be a stranger's by now. */
  readonly email: string
  /** As the preferences have it; null until one was chosen. */
  readonly language: string | null
}

interface AnnouncementFilter {
  readonly text: string
  readonly state: AnnouncementState | undefined
}

/** The only SQL over `announcements`, and over whom they are for. */
export const announcementsStore = {
  async insert(tx: Tx, row: AnnouncementRow): Promise<void> {
    await tx.insertInto('announcements').values(row).execute()
  },
  byId: (db: Db | Tx, id: string): Promise<AnnouncementRow | undefined> =>
    db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst(),
  byIds: (db: Db | Tx, ids: readonly string[]): Promise<AnnouncementRow[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db.selectFrom('announcements').selectAll().where('id', 'in', ids).execute(),
  /** Newest first. */
  async page(db: Db, { text, state }: AnnouncementFilter, { page, size }: { page: number; size: number }) {
    const wanted = text.toLowerCase()
    const found = db
      .selectFrom('announcements')
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'planned'))
      .$if(wanted !== '', (query) =>
        query.where(
          sql<SqlBool>`(instr(lower(title_en), ${wanted}) > 0 or instr(lower(title_zh), ${wanted}) > 0
            or instr(lower(author), ${wanted}) > 0)`,
        ),
      )
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },
  /** Planned ones whose time has come. */
  async due(db: Db, now: number): Promise<string[]> {
    const planned = db.selectFrom('announcements').select('id').where('state', '=', 'planned')
    return (await planned.where('send_at', '<=', now).orderBy('send_at').execute()).map(({ id }) => id)
  },
  /** Changes one that is in one of `states`, and at `revision` where that is given. @returns false when it is not */
  async changeIn(
    tx: Tx,
    { id, states, revision }: { id: string; states: readonly AnnouncementState[]; revision?: number },
    change: Partial<AnnouncementRow>,
  ): Promise<boolean> {
    const update = tx
      .updateTable('announcements')
      .set((set) => ({ ...change, revision: set('revision', '+', 1) }))
      .where('id', '=', id)
      .where('state', 'in', states)
      .$if(revision !== undefined, (query) => query.where('revision', '=', revision ?? 0))
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
  },
  /** Moves on over people who were reached. @returns false when it is sent no more, or somebody else moved it */
  async advance(
    tx: Tx,
    { id, position }: Pick<AnnouncementRow, 'id' | 'position'>,
    moved: { readonly to: string; readonly reached: number; readonly mailed: number },
  ): Promise<boolean> {
    const update = tx
      .updateTable('announcements')
      .set((set) => ({
        position: moved.to,
        reached: set('reached', '+', moved.reached),
        mailed: set('mailed', '+', moved.mailed),
      }))
      .where('id', '=', id)
      .where('position', '=', position)
      .where('state', '=', 'sending')
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
  },
  async addReads(tx: Tx, id: string, count: number): Promise<void> {
    await tx
      .updateTable('announcements')
      .set((set) => ({ read_count: set('read_count', '+', count) }))
      .where('id', '=', id)
      .execute()
  },
  async purge(db: Db, before: number): Promise<void> {
    await db.deleteFrom('announcements').where('finished_at', '<', before).execute()
  },
  /** The next people of an audience, by id. */
  recipients: (
    tx: Tx,
    audience: WholeAudience,
    { after, limit, now }: { readonly after: string; readonly limit: number; readonly now: number },
  ) =>
    tx
      .selectFrom('users')
      .leftJoin('user_preferences', 'user_preferences.user_id', 'users.id')
      .select(['users.id', 'user_preferences.language'])
      .select(sql<string>`case when ${isUsableAt(now)} then users.email else '' end`.as('email'))
      .where('users.id', '>', after)
      .where((where) => isFor(where, audience))
      .orderBy('users.id')
      .limit(limit)
      .execute() as Promise<Recipient[]>,
  async reach(
    db: Db | Tx,
    audience: WholeAudience,
    now: number,
  ): Promise<{ readonly people: number; readonly withMail: number }> {
    const row = await db
      .selectFrom('users')
      .select((select) => [
        select.fn.countAll<number>().as('people'),
        sql<number>`sum(case when users.email <> '' and ${isUsableAt(now)} then 1 else 0 end)`.as('withMail'),
      ])
      .where((where) => isFor(where, audience))
      .executeTakeFirst()
    return { people: Number(row?.people ?? 0), withMail: Number(row?.withMail ?? 0) }
  },
}

function isUsableAt(now: number) {
  return sql<SqlBool>`(users.locked = 0 and (users.valid_from is null or users.valid_from <= ${now})
    and (users.valid_until is null or users.valid_until > ${now}))`
}

function isFor(
  where: ExpressionBuilder<Tables, 'users'>,
  { all, users, groups, departments }: WholeAudience,
): Expression<SqlBool> {
  if (all) return sql<SqlBool>`1 = 1`
  const any: Array<Expression<SqlBool>> = []
  if (users.length > 0) any.push(where('users.id', 'in', users))
  if (departments.length > 0) any.push(where('users.department_id', 'in', departments))
  if (groups.length > 0) {
    const members = where.selectFrom('group_members').select('group_members.user_id').where('group_id', 'in', groups)
    any.push(where('users.id', 'in', members))
  }
  return any.length === 0 ? sql<SqlBool>`1 = 0` : where.or(any)
}
