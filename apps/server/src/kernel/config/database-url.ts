import path from 'node:path'
import type { Config } from './keys.ts'

const MASK = '********'

type DatabaseConfig = Pick<Config, 'data' | 'database.url'>

/** The database in force: the configured one, or SQLite in the data folder. */
export function databaseUrl(config: DatabaseConfig): string {
  return config['database.url'] || `sqlite:${path.join(config.data, 'godwit.db')}`
}

/** The same for people and logs: without its password. */
export function shownDatabaseUrl(config: DatabaseConfig): string {
  const url = databaseUrl(config)
  if (url.startsWith('sqlite:')) return url
  if (!URL.canParse(url)) return `mysql://${MASK}`
  const parsed = new URL(url)
  if (parsed.password !== '') parsed.password = MASK
  return parsed.href
}

/** Takes the password of the database out of a text, which a driver may have put there. */
export function withoutDatabasePassword(text: string, config: DatabaseConfig): string {
  const url = databaseUrl(config)
  if (!URL.canParse(url)) return text.replaceAll(url, shownDatabaseUrl(config))
  const { password } = new URL(url)
  const spellings = [password, decoded(password)].filter((spelling) => spelling !== '')
  return spellings.reduce((shown, spelling) => shown.replaceAll(spelling, MASK), text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not encoded at all.
    return text
  }
}
