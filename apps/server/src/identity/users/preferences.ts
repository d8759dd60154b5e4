import { EMAIL_SENDER, MAIL_LANGUAGE } from '@godwit/contract'
import { LOCALES, type Locale } from '@godwit/i18n'
import type { Selectable } from 'kysely'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { usersStore } from './users.store.ts'

interface UserPreferencesTable {
  user_id: string
  /** Locale of mails; '' until the account chose one. */
  language: string
  /** 1: notices come by e-mail as well. */
  notice_mail: number
  /** EMAIL_SENDER. */
  email_sender_type: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly user_preferences: UserPreferencesTable
  }
}

export type PreferencesRow = Selectable<UserPreferencesTable>

/** An account without a row has these. */
const DEFAULTS = { language: '', notice_mail: 0, email_sender_type: EMAIL_SENDER.own } as const

/** The only SQL over `user_preferences`. */
export interface PreferencesStore {
  /** EMAIL_SENDER of those that have a row. */
  sendersOf(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  of(db: Db | Tx, userId: string): Promise<PreferencesRow>
  change(tx: Tx, userId: string, change: Partial<Omit<PreferencesRow, 'user_id'>>): Promise<void>
}

export const preferencesStore: PreferencesStore = {
  async sendersOf(db, userIds) {
    const rows = await db
      .selectFrom('user_preferences')
      .select(['user_id', 'email_sender_type'])
      .where('user_id', 'in', userIds)
      .execute()
    return new Map(rows.map(({ user_id: id, email_sender_type: sender }) => [id, sender]))
  },
  async of(db, userId) {
    const row = await db.selectFrom('user_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()
    return row ?? { user_id: userId, ...DEFAULTS }
  },
  async change(tx, userId, change) {
    const row = { ...(await preferencesStore.of(tx, userId)), ...change }
    await tx.deleteFrom('user_preferences').where('user_id', '=', userId).execute()
    await tx.insertInto('user_preferences').values(row).execute()
  },
}

/** The language in which somebody signs in first is the one of the mails, until another one is chosen. */
export async function rememberLanguage(db: Db, userId: string, locale: Locale): Promise<void> {
  if ((await preferencesStore.of(db, userId)).language !== '') return
  try {
    await inTransaction(db, (tx) => preferencesStore.change(tx, userId, { language: locale }))
  } catch (thrown) {
    // Two first sign-ins at once: one of them is as good as the other.
    if (!isDuplicate(thrown)) throw thrown
  }
}

/** The language of mails to an account; `otherwise` until it chose one. */
export function localeOf({ language }: Pick<PreferencesRow, 'language'>, otherwise: Locale = 'en-US'): Locale {
  return LOCALES.find((locale) => locale === language) ?? otherwise
}

/** The locale behind a language number of the wire. */
export function localeByWire(language: number): Locale {
  return language === MAIL_LANGUAGE['zh-CN'] ? 'zh-CN' : 'en-US'
}

/** Where an account gets its mails, and whether it may have a mail sender of its own. */
export function mailAccountOf({ db }: { readonly db: Db }) {
  return async (userId: string): Promise<{ readonly email: string; readonly mayOwnSender: boolean }> => ({
    email: (await usersStore.byId(db, userId))?.email ?? '',
    mayOwnSender: (await preferencesStore.of(db, userId)).email_sender_type === EMAIL_SENDER.own,
  })
}
