import { RESERVED_NAME } from '@godwit/contract'
import { KIND_FOLDER, StorageError, type Entry, type ObjectReader, type ObjectStore } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { writeUpload } from '../cross-storage/index.ts'
import { treeHashOf } from '../tree-hashes/index.ts'
import { forgetHashes, hashAt, rememberHashes } from '../quotas/index.ts'
import type { HomePlace, RemovalJobDeps } from './removals.deps.ts'
import { removalsStore } from './removals.store.ts'

/** Below this nothing is listed or reached by a path: copies on their way to another storage. */
const STAGES = `${RESERVED_NAME}-handover`

function stageOf(accountId: string): string {
  return `${STAGES}/${accountId}`
}

interface Staging {
  readonly accountId: string
  readonly jobId: string
  /** Where the copies are to be, and what their hashes are noted for. */
  readonly target: Pick<HomePlace, 'store' | 'spaceId'>
  readonly signal: AbortSignal
}

/**
 * Copies a home to another storage, where nobody sees it. Each file is read back and compared, and the next run goes on behind
 * the last one that was.
 * @returns key of the copy
 * @throws AppError FILE_CORRUPT for a file that is not what was stored
 */
export async function stageHome(deps: RemovalJobDeps, home: HomePlace, staging: Staging): Promise<string> {
  const { target, accountId, jobId, signal } = staging
  const top = stageOf(accountId)
  await dropStage(deps, accountId, deps.storages.idOf(target.store))
  await removalsStore.change(deps.db, { id: accountId, jobId }, { staged_on: deps.storages.idOf(target.store) })
  await target.store.ensureFolder(top)
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of home.store.list(`${home.key}${folder}`, { signal })) {
      for (const [at, name] of page.names.entries()) {
        signal.throwIfAborted()
        const below = `${folder}/${name}`
        if (page.kinds[at] === KIND_FOLDER) {
          await target.store.ensureFolder(`${top}${below}`)
          waiting.push(below)
        } else {
          await copyFile(deps, { ...home, key: `${home.key}${below}` }, { ...target, key: `${top}${below}`, signal })
        }
      }
    }
  }
  return top
}

/** Removes copies that nobody waits for any more. @param except the storage that is to hold them */
export async function dropStage(deps: RemovalJobDeps, accountId: string, except = 0): Promise<void> {
  const { db, storages } = deps
  const id = (await removalsStore.byId(db, accountId))?.staged_on ?? 0
  const store = id === except ? undefined : storages.withId(id)
  if (store === undefined) return
  await removeTree(store, stageOf(accountId))
  for (const spaceId of await removalsStore.spaceIds(db)) await forgetHashes(db, spaceId, stageOf(accountId))
}

/** Whether something is in a home that no key can name: it is in no listing, and so in no copy. */
export async function holdsUnusable({ store, key }: HomePlace, signal: AbortSignal): Promise<boolean> {
  if ((await store.stat(key)) === undefined) return false
  const waiting = [key]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const { names, kinds, leftOut } of store.list(folder, { signal })) {
      if (leftOut > 0) return true
      for (const [at, name] of names.entries()) if (kinds[at] === KIND_FOLDER) waiting.push(`${folder}/${name}`)
    }
  }
  return false
}

/** Removes a tree that may be gone already. */
export async function removeTree(store: ObjectStore, key: string, signal?: AbortSignal): Promise<void> {
  try {
    await store.remove(key, signal === undefined ? {} : { signal })
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') throw thrown
  }
}

interface Target extends HomePlace {
  readonly signal: AbortSignal
}

async function copyFile({ db, clock }: RemovalJobDeps, from: HomePlace, to: Target): Promise<void> {
  if (await isCopied({ db }, to)) return
  await using reader = await from.store.openRead(from.key)
  const { entry } = reader
  const noted = await hashAt(db, { spaceIds: [from.spaceId], key: from.key })
  const copy = await write(reader, to)
  const hash = await treeHashOf(copy.size, () => to.store.openRead(to.key))
  const wanted = noted?.etag === entry.etag ? noted.hash : await treeHashOf(entry.size, () => Promise.resolve(reader))
  if (hash !== wanted) throw new AppError('FILE_CORRUPT')
  await rememberHashes(db, clock, [{ spaceId: to.spaceId, key: to.key, etag: copy.etag, hash }])
}

/** The note of the hash is the last thing that is written of a copy. */
async function isCopied({ db }: Pick<RemovalJobDeps, 'db'>, { store, key, spaceId }: Target): Promise<boolean> {
  const noted = await hashAt(db, { spaceIds: [spaceId], key })
  return noted !== undefined && (await store.stat(key))?.etag === noted.etag
}

async function write(reader: ObjectReader, { store, key, signal }: Target): Promise<Entry> {
  const { size, modifiedMs } = reader.entry
  const upload = await writeUpload(reader, { store, key }, { signal })
  try {
    return await store.completeUpload(upload, { size, conflict: 'replace', modifiedMs })
  } catch (thrown) {
    await store.abortUpload(upload)
    throw thrown
  }
}
