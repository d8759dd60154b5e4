import fs from 'node:fs'
import path from 'node:path'
import { randomHex, type Clock, type Random } from '@godwit/base'
import { LIMITS } from '@godwit/contract'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { Refused } from '../installation/index.ts'
import { storagesStore } from './storages.store.ts'

const FACT = 'installation.id'
/** Where the first storage keeps its files, below the data folder. */
export const FIRST_FOLDER = 'files'

interface InstallationDeps {
  readonly db: Db
  /** The data folder. */
  readonly data: string
  readonly clock: Clock
  readonly random: Random
}

/** The name of the installation that a database belongs to; undefined before its first start. */
export async function installationId(db: Db | Tx): Promise<string | undefined> {
  const row = await db.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirst()
  return row?.value
}

/**
 * Gives a database without a name one: 128 random bits, which storages are marked with from then on. A database that was
 * used before names existed keeps its files; a new one never takes over files that are there already.
 * @returns the name
 * @throws Refused for files without their database, or a database without its files
 */
export async function ensureInstallation({ db, data, clock, random }: InstallationDeps): Promise<string> {
  const known = await installationId(db)
  if (known !== undefined) return known
  const folder = path.join(data, FIRST_FOLDER)
  // The migration made them for a database that was used before.
  const hasStorages = (await storagesStore.all(db)).length > 0
  if (hasStorages) requireOldFiles(folder)
  else requireNoFiles(folder)
  try {
    return await nameInstallation({ db, clock, random })
  } catch (thrown) {
    // Another process was faster.
    const other = isDuplicate(thrown) ? await installationId(db) : undefined
    if (other === undefined) throw thrown
    return other
  }
}

/** Gives a database its name, and its first storage where it has none. @returns the name it has, or has now */
export async function nameInstallation({ db, clock, random }: Omit<InstallationDeps, 'data'>): Promise<string> {
  return inTransaction(db, async (tx) => {
    const known = await installationId(tx)
    if (known !== undefined) return known
    const id = randomHex(random, 16)
    await tx.insertInto('facts').values({ name: FACT, value: id }).execute()
    if ((await storagesStore.all(tx)).length > 0) return id
    const storageId = await storagesStore.insert(tx, firstStorage(clock))
    await storagesStore.makeDefault(tx, LIMITS.defaultSpaceId, storageId)
    return id
  })
}

function firstStorage(clock: Clock) {
  const settings = JSON.stringify({ folder: FIRST_FOLDER })
  const unchecked = { sealed_secret: '', revision: 1, marked_at: null, checked_at: null, error: '' }
  return { name: 'Local', name_key: 'local', kind: 'local', settings, created_at: clock.now(), ...unchecked }
}

function requireNoFiles(folder: string): void {
  const hidden = path.join(folder, '.godwit')
  const isUsed = fs.existsSync(path.join(hidden, 'mark')) || namesIn(folder).some((name) => name !== '.godwit')
  if (!isUsed) return
  throw new Refused(
    [
      `The database is new, but ${path.resolve(folder)} holds the files of an installation.`,
      'Put its database back (godwit restore, or the copy of godwit.db), or correct GODWIT_DATABASE_URL;',
      'for a new installation choose another folder with --data.',
    ].join(' '),
  )
}

function requireOldFiles(folder: string): void {
  if (fs.existsSync(path.join(folder, '.godwit'))) return
  throw new Refused(
    `The database knows of files, but ${path.resolve(folder)} is missing or empty. Mount or restore it, then start again.`,
  )
}

function namesIn(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : []
}
