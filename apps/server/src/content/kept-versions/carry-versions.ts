import type { ObjectStore } from '@godwit/storage'
import type { Db } from '../../kernel/db/index.ts'
import { writeUpload } from '../cross-storage/index.ts'
import { carryVersionRows, versionsStore, type CarriedVersions, type VersionRow } from '../quotas/index.ts'
import { forgetVersion, unlessMissing } from './kept-versions.ts'

interface Between {
  readonly from: ObjectStore
  readonly to: ObjectStore
}

/**
 * The versions of a file follow it to another storage, one by one: copied, booked, and only then removed. Repeated after a crash
 * it goes on where it was.
 */
export async function carryVersionsTo(db: Db, { from, to }: Between, carry: CarriedVersions): Promise<void> {
  for (;;) {
    const rows = await versionsStore.someOf(db, { ...carry, key: carry.from })
    if (rows.length === 0) return
    for (const row of rows) {
      // One that is being deleted stays behind.
      if (row.removing === 1) await forgetVersion(db, from, row)
      else await carryVersion(db, { from, to }, { carry, row })
    }
  }
}

async function carryVersion(
  db: Db,
  { from, to }: Between,
  { carry, row }: { readonly carry: CarriedVersions; readonly row: VersionRow },
): Promise<void> {
  const { version_key: key, size } = row
  const known = await to.stat(key)
  if (known?.size !== Number(size) && (await from.stat(key)) !== undefined) await copyVersion({ from, to }, key)
  await carryVersionRows(db, carry, [row])
  await unlessMissing(from.remove(key))
}

async function copyVersion({ from, to }: Between, key: string): Promise<void> {
  await using reader = await from.openRead(key)
  const { size, modifiedMs } = reader.entry
  await to.ensureFolder(key.slice(0, key.lastIndexOf('/')))
  const upload = await writeUpload(reader, { store: to, key }, { signal: new AbortController().signal })
  await to.completeUpload(upload, { size, modifiedMs, conflict: 'replace' })
}
