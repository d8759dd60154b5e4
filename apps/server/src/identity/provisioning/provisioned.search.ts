import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tables } from '../../kernel/db/index.ts'
import { foldCase } from '../users/index.ts'
import { provisionedStore } from './provisioned.store.ts'

export type TextTest = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'pr'
export type AccountField = 'id' | 'userName' | 'externalId' | 'displayName' | 'givenName' | 'familyName' | 'email'
export type GroupField = 'id' | 'externalId' | 'displayName' | 'member'

/** What a search asks for. */
export type Condition<Field extends string> =
  | { readonly all: ReadonlyArray<Condition<Field>> }
  | { readonly any: ReadonlyArray<Condition<Field>> }
  | { readonly not: Condition<Field> }
  | { readonly field: Field; readonly test: TextTest; readonly value: string }
  | { readonly isActive: boolean }

interface Window {
  /** How many come before it. */
  readonly offset: number
  readonly limit: number
}

/** Accounts and groups by what an identity management asks for. */
export const provisionedSearch = {
  /** Ids in the order of the accounts' names. */
  async accounts(db: Db, condition: Condition<AccountField> | undefined, { offset, limit }: Window) {
    if (condition !== undefined && 'field' in condition && condition.field === 'userName' && condition.test === 'eq') {
      const ids = await idsNamed(db, condition.value)
      return { ids: ids.slice(offset, offset + limit), total: ids.length }
    }
    const found = db
      .selectFrom('users')
      .$if(condition !== undefined, (query) => query.where((where) => accountFits(where, condition ?? { all: [] })))
    const rows = await found.select('users.id').orderBy('account_key').limit(limit).offset(offset).execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { ids: rows.map(({ id }) => id), total: Number(row?.n ?? 0) }
  },
  /** Ids in the order in which the groups were made. */
  async groups(db: Db, condition: Condition<GroupField> | undefined, { offset, limit }: Window) {
    const found = db
      .selectFrom('user_groups')
      .$if(condition !== undefined, (query) => query.where((where) => groupFits(where, condition ?? { all: [] })))
    const rows = await found.select('user_groups.id').orderBy('user_groups.id').limit(limit).offset(offset).execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { ids: rows.map(({ id }) => id), total: Number(row?.n ?? 0) }
  },
}

/** Who has a name there, or here without one there: what is asked for before each change, by two look-ups that have an index. */
async function idsNamed(db: Db, userName: string): Promise<string[]> {
  const key = foldCase(userName)
  const link = await provisionedStore.byUserName(db, key)
  if (link !== undefined) return [link.user_id]
  const user = await db.selectFrom('users').select('id').where('account_key', '=', key).executeTakeFirst()
  const isLinked = user !== undefined && (await provisionedStore.ofUsers(db, [user.id])).has(user.id)
  return user === undefined || isLinked ? [] : [user.id]
}

type Users = ExpressionBuilder<Tables, 'users'>
type Groups = ExpressionBuilder<Tables, 'user_groups'>

function accountFits(where: Users, condition: Condition<AccountField>): Expression<SqlBool> {
  if ('all' in condition) return where.and(condition.all.map((each) => accountFits(where, each)))
  if ('any' in condition) return where.or(condition.any.map((each) => accountFits(where, each)))
  if ('not' in condition) return where.not(accountFits(where, condition.not))
  if ('isActive' in condition) return where('locked', '=', condition.isActive ? 0 : 1)
  const { field, test, value } = condition
  if (test === 'eq') return accountIs(where, field, value)
  if (test === 'ne') return where.not(accountIs(where, field, value))
  const { text, isExact } = ACCOUNT_TEXTS[field]
  return textFits(text, test, isExact ? value : foldCase(value))
}

/** Whether a field is exactly this, by an index where there is one. */
function accountIs(where: Users, field: AccountField, value: string): Expression<SqlBool> {
  const linked = () => where.selectFrom('scim_accounts').select('scim_accounts.user_id')
  switch (field) {
    case 'id':
      return where('users.id', '=', value)
    case 'email':
      return where('email_key', '=', foldCase(value))
    case 'externalId':
      return where('users.id', 'in', linked().where('external_id', '=', value))
    case 'userName':
    case 'displayName':
    case 'givenName':
    case 'familyName':
      return sql<SqlBool>`${ACCOUNT_TEXTS[field].text} = ${foldCase(value)}`
  }
}

interface ComparedText {
  readonly text: RawBuilder<string>
  /** Case matters. */
  readonly isExact?: true
}

const ofLink = (column: string) =>
  sql<string>`coalesce((select ${sql.ref(column)} from scim_accounts where user_id = users.id), '')`

const ACCOUNT_TEXTS: Readonly<Record<AccountField, ComparedText>> = {
  id: { text: sql`users.id`, isExact: true },
  userName: {
    text: sql`coalesce((select user_name_key from scim_accounts where user_id = users.id), users.account_key)`,
  },
  externalId: { text: ofLink('external_id'), isExact: true },
  displayName: { text: sql`lower(users.name)` },
  givenName: { text: sql`lower(${ofLink('given_name')})` },
  familyName: { text: sql`lower(${ofLink('family_name')})` },
  email: { text: sql`coalesce(users.email_key, '')` },
}

function groupFits(where: Groups, condition: Condition<GroupField>): Expression<SqlBool> {
  if ('all' in condition) return where.and(condition.all.map((each) => groupFits(where, each)))
  if ('any' in condition) return where.or(condition.any.map((each) => groupFits(where, each)))
  if ('not' in condition) return where.not(groupFits(where, condition.not))
  // Groups are never switched off.
  if ('isActive' in condition) return sql<SqlBool>`${condition.isActive ? 1 : 0} = 1`
  const { field, test, value } = condition
  if (field === 'member') return memberFits(where, test, value)
  const { text, isExact } = GROUP_TEXTS[field]
  const wanted = isExact ? value : foldCase(value)
  if (test === 'eq') return sql<SqlBool>`${text} = ${wanted}`
  if (test === 'ne') return sql<SqlBool>`${text} <> ${wanted}`
  return textFits(text, test, wanted)
}

const GROUP_TEXTS: Readonly<Record<Exclude<GroupField, 'member'>, ComparedText>> = {
  id: { text: sql`concat(user_groups.id, '')`, isExact: true },
  externalId: {
    text: sql`coalesce((select external_id from scim_groups where group_id = user_groups.id), '')`,
    isExact: true,
  },
  displayName: { text: sql`user_groups.name_key` },
}

function memberFits(where: Groups, test: TextTest, value: string): Expression<SqlBool> {
  const members = where
    .selectFrom('group_members')
    .select('group_members.group_id')
    .$if(test !== 'pr', (query) => query.where('group_members.user_id', '=', value))
  const has = where('user_groups.id', 'in', members)
  return test === 'ne' ? where.not(has) : has
}

/** Not `like`, which gives `%` and `_` a meaning. */
function textFits(text: RawBuilder<string>, test: Exclude<TextTest, 'eq' | 'ne'>, value: string): RawBuilder<SqlBool> {
  switch (test) {
    case 'pr':
      return sql`${text} <> ''`
    case 'co':
      return sql`instr(${text}, ${value}) > 0`
    case 'sw':
      return sql`substr(${text}, 1, ${[...value].length}) = ${value}`
    case 'ew':
      return value === '' ? sql`1 = 1` : sql`substr(${text}, ${-[...value].length}) = ${value}`
  }
}
