import fs from 'node:fs'
import path from 'node:path'
import { replaceFile } from '../folders.ts'
import type { Config } from './keys.ts'

/** Stands in for a secret. */
export const MASK = '********'

type DatabaseConfig = Pick<Config, 'data' | 'database.url'>

/** Names the database that the installation was moved to in the console, in the data folder. */
const CHOSEN_FILE = 'database.url'

/** The database in force: the configured one, the one chosen in the console, or SQLite in the data folder. */
export function databaseUrl(config: DatabaseConfig): string {
  return config['database.url'] || (chosenDatabaseUrl(config.data) ?? sqliteUrl(config.data))
}

export function sqliteUrl(data: string): string {
  return `sqlite:${path.join(data, 'godwit.db')}`
}

/**
 * @returns undefined as long as none was chosen
 * @throws Error when the file is damaged: the SQLite database of before would lack everything written since
 */
export function chosenDatabaseUrl(data: string): string | undefined {
  const file = path.join(data, CHOSEN_FILE)
  if (!fs.existsSync(file)) return undefined
  const url = fs.readFileSync(file, 'utf8').trim()
  if (!url.startsWith('mysql://')) throw new Error(`${file} names no database: put mysql://… there, or remove it`)
  return url
}

/** From the next start on, this is the database: whole, or not at all. */
export function chooseDatabase(data: string, url: string): void {
  replaceFile(path.join(data, CHOSEN_FILE), `${url}\n`)
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
