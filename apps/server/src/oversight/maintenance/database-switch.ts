import fs from 'node:fs'
import path from 'node:path'
import {
  chooseDatabase,
  databaseUrl,
  sqliteUrl,
  withoutDatabasePassword,
  type Config,
} from '../../kernel/config/index.ts'
import type { Log } from '../../kernel/context.ts'
import { connectDatabase, migrateToLatest } from '../../kernel/db/index.ts'
import { replaceFile } from '../../kernel/folders.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import { copyDatabase, markCopied } from './database-copy.ts'

/** Present from the order to switch until the next start has carried it out. */
const WANTED_FILE = 'database-switch.url'
/** Why the last switch was not carried out. */
const FAULT_FILE = 'database-switch.fault'

/** Orders the next start to move to this database. */
export function prepareSwitch(data: string, url: string): void {
  fs.rmSync(path.join(data, FAULT_FILE), { force: true })
  replaceFile(path.join(data, WANTED_FILE), `${url}\n`)
}

/** @returns '' when the last switch was carried out, or none was ordered */
export function lastSwitchFault(data: string): string {
  const file = path.join(data, FAULT_FILE)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
}

/**
 * Carries out an ordered switch before anything else runs: brings over what was written since the copy, compares every table, and
 * only then names the new database. A crash anywhere leaves the order in place for the next start; a failure leaves
 * the database of before in force.
 */
export async function finishSwitch(config: Pick<Config, 'data' | 'database.url'>, log: Log): Promise<void> {
  const file = path.join(config.data, WANTED_FILE)
  if (!fs.existsSync(file)) return
  const url = fs.readFileSync(file, 'utf8').trim()
  try {
    if (databaseUrl(config) !== url) {
      await bringOver(config, url)
      chooseDatabase(config.data, url)
      log.info({}, 'the server moved to another database')
    }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const shown = withoutDatabasePassword(reason, { data: config.data, 'database.url': url })
    log.error({ reason: shown }, 'the server stays with its database')
    replaceFile(path.join(config.data, FAULT_FILE), `${shown}\n`)
  }
  fs.rmSync(file)
}

async function bringOver(config: Pick<Config, 'data' | 'database.url'>, url: string): Promise<void> {
  if (config['database.url'] !== '') throw new Error('the configuration of the process names the database')
  const [source, target] = [connectDatabase(sqliteUrl(config.data)), connectDatabase(url)]
  try {
    await migrateToLatest(source, MIGRATIONS)
    const tables = await copyDatabase(source, target, { signal: new AbortController().signal })
    const different = tables.filter(({ equal }) => !equal).map(({ table }) => table)
    if (different.length > 0) throw new Error(`tables differ: ${different.join(', ')}`)
    await markCopied(target)
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}
