import path from 'node:path'
import type { Config } from './keys.ts'

/** The database in force: the configured one, or SQLite in the data folder. */
export function databaseUrl(config: Config): string {
  return config['database.url'] || `sqlite:${path.join(config.data, 'godwit.db')}`
}
