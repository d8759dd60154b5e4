import { StorageError, type ObjectStore } from '@godwit/storage'
import type { Db } from '../../kernel/db/index.ts'
import { Refused } from '../installation/index.ts'
import { FIRST_FOLDER, nameInstallation } from './installation.ts'
import { kindOf, type KindDeps } from './storages.kinds.ts'
import { markText } from './storages.marks.ts'
import type { StorageRow } from './storages.schema.ts'
import { storagesStore } from './storages.store.ts'

type RestoreDeps = Omit<KindDeps, 'isOwner'>

/** A row of an archive's database. */
export type ArchivedStorage = Pick<StorageRow, 'kind' | 'settings'>

/**
 * Looks at the folders that an archive would fill, and makes nothing.
 * @param rows those of the archive; none: it is from before storages were data, and fills the first folder
 * @throws Refused for one that holds something
 */
export async function requireEmptyStorages(deps: RestoreDeps, rows: readonly ArchivedStorage[]): Promise<void> {
  const first = { kind: 'local', settings: JSON.stringify({ folder: FIRST_FOLDER }) }
  for (const { kind: name, settings } of rows.length > 0 ? rows : [first]) {
    if (name !== 'local') continue
    const kind = kindOf(name)
    const request = { settings: JSON.parse(settings) as unknown, secret: '', create: false }
    try {
      await using store = await kind.open({ ...deps, isOwner: false }, request)
      if (!(await isEmpty(store))) throw new Refused(`${kind.describe(deps, request.settings)} is not empty`)
    } catch (thrown) {
      if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw thrown
    }
  }
}

/**
 * Opens the local storages of a database that was put back, which are made where they are missing, and marks them. Buckets
 * are left alone: they kept their files. No server may run.
 * @param deps.into the folder of a storage in place of the one it had
 * @returns the stores by their ids
 */
export async function openRestoredStorages(
  deps: RestoreDeps & { readonly db: Db; readonly into?: ((storageId: number) => string) | undefined },
): Promise<ReadonlyMap<number, ObjectStore>> {
  const { db, clock } = deps
  const installation = await nameInstallation(deps)
  const stores = new Map<number, ObjectStore>()
  for (const row of await storagesStore.all(db)) {
    if (row.kind !== 'local') continue
    const settings = deps.into === undefined ? row.settings : JSON.stringify({ folder: deps.into(row.id) })
    const request = { settings: JSON.parse(settings) as unknown, secret: '', create: true }
    const store = await kindOf(row.kind).open({ ...deps, isOwner: true }, request)
    await store.writeMark(markText({ installation, storage: row.id }))
    await storagesStore.change(db, row.id, { settings, marked_at: clock.now() })
    stores.set(row.id, store)
  }
  return stores
}

async function isEmpty(store: ObjectStore): Promise<boolean> {
  if ((await store.readMark()) !== undefined) return false
  for await (const page of store.list('')) if (page.names.length > 0) return false
  return true
}
