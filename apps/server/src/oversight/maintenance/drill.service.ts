import fs from 'node:fs'
import path from 'node:path'
import { randomHex } from '@godwit/base'
import { verifyLog } from '../../foundation/operation-log/index.ts'
import { openStorages, type Storages } from '../../foundation/storages/index.ts'
import { openVault } from '../../kernel/crypto/index.ts'
import { connectDatabase } from '../../kernel/db/index.ts'
import { DRILL_PREFIX } from './backup-files.ts'
import type { MaintenanceDeps } from './maintenance.deps.ts'
import { restoreBackup } from './restore.service.ts'
import { verify } from './verify.service.ts'

export interface DrillDeps extends Pick<MaintenanceDeps, 'clock' | 'random' | 'signal'> {
  /** Bytes of a disk that files leave free. */
  readonly reserveBytes: number
}

export interface DrillResult {
  /** Files that were put back. */
  readonly files: number
  /** What is wrong with them, each in a line; none: the archive restores. */
  readonly problems: readonly string[]
}

/** Problems that are named. */
const NAMED = 5

/**
 * Restores an archive into a folder and a database of its own beside it, compares every hash and proves the operation log, and
 * removes both again. The installation is not touched, whatever the archive holds.
 * @throws Refused for a damaged archive, or one of a newer program; the system's error when there is no room
 */
export async function restoreDrill(deps: DrillDeps, file: string): Promise<DrillResult> {
  const place = path.join(path.dirname(file), `${DRILL_PREFIX}${randomHex(deps.random, 8)}`)
  fs.mkdirSync(place, { mode: 0o700 })
  const database = connectDatabase(`sqlite:${path.join(place, 'godwit.db')}`)
  try {
    const own = { ...deps, data: place, database }
    const into = (id: number): string => path.join(place, `storage-${id}`)
    const { files } = await restoreBackup({ ...own, into }, file)
    const vault = () => openVault(place, deps.random)
    const storages = await openStorages({
      ...own,
      db: database.db,
      vault,
      isOwner: false,
      log: { warn: () => undefined },
    })
    try {
      return { files, problems: await problemsOf({ ...own, storages }) }
    } finally {
      await storages.close()
    }
  } finally {
    await database.close()
    fs.rmSync(place, { recursive: true, force: true })
  }
}

async function problemsOf(deps: MaintenanceDeps): Promise<string[]> {
  const { storages, database } = deps
  const local = storages.all().filter((store) => store.capabilities.provider === 'local')
  // The files of buckets are in no archive, so nobody can miss them here.
  const isWhole = local.length === storages.all().length
  const own: Storages = { ...boundTo(storages), all: () => local }
  const { problems } = await verify({ ...deps, storages: own }, { all: true, repair: false })
  const found = problems.filter(({ kind }) => isWhole || kind !== 'missing')
  const { faults } = await verifyLog(database.db)
  return [
    ...found.slice(0, NAMED).map(({ kind, key, reason }) => `${kind} ${key}: ${reason}`),
    ...(found.length > NAMED ? [`and ${found.length - NAMED} more files`] : []),
    ...(faults.length > 0 ? [`the operation log has ${faults.length} faults`] : []),
  ]
}

function boundTo(storages: Storages): Storages {
  return {
    ofPlace: (place) => storages.ofPlace(place),
    all: () => storages.all(),
    idOf: (store) => storages.idOf(store),
    withId: (id) => storages.withId(id),
    check: () => storages.check(),
    close: () => storages.close(),
  }
}
