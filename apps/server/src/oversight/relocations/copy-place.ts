import { KIND_FILE, KIND_FOLDER, StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import { publishStaged, requireStored, stageFile } from '../../content/cross-storage/index.ts'
import { hashAt, versionKeyHash } from '../../content/quotas/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { removeCopies, removeIfThere } from './remove-copies.ts'
import { treesOf, type PlaceTree } from './place-trees.ts'
import type { PlaceCopyRow, PlaceMoveRow } from './relocations.schema.ts'
import { relocationsStore } from './relocations.store.ts'

export interface Copying {
  readonly db: Db
  readonly from: ObjectStore
  readonly to: ObjectStore
  readonly move: PlaceMoveRow
  /** Key of the root of the place. */
  readonly root: string
  readonly signal: AbortSignal
  /** Receives what of the place stands on the other storage, as the pass comes to it. */
  readonly onCopied?: ((done: CopiedPart) => void) | undefined
}

export interface CopiedPart {
  readonly files: number
  readonly bytes: number
  /** Whether it was copied in this pass. */
  readonly isNew: boolean
}

/** What one pass over a place did. */
export interface PassResult {
  /** Files that were copied in this pass. */
  readonly copied: number
  /** Files that somebody changed while they were copied: the next pass has them. */
  readonly changed: number
  /** Entries that no storage shows to anybody: links, sockets, names that are not UTF-8. They stay where they are. */
  readonly leftOut: number
  /** Keys of files whose bytes are not what was stored. */
  readonly corrupt: readonly string[]
}

interface Tally {
  copied: number
  changed: number
  leftOut: number
  readonly corrupt: string[]
}

const FILES_AT_ONCE = 200

/**
 * Makes the other storage hold what the place holds, and nothing else of it. Each file is read back and compared before its row is
 * written, so that a pass that was cut short goes on where it was.
 * @throws StorageError as both storages throw it, and the reason of an aborted signal
 */
export async function copyPlace(copying: Copying): Promise<PassResult> {
  const { db, from, to, root } = copying
  const round = copying.move.round + 1
  await relocationsStore.change(db, copying.move, { round })
  const pass: Pass = { ...copying, round, tally: { copied: 0, changed: 0, leftOut: 0, corrupt: [] } }
  for await (const tree of treesOf(db, copying.move, root)) {
    copying.signal.throwIfAborted()
    const entry = await from.stat(tree.key)
    if (entry === undefined) continue
    const above = tree.key.slice(0, tree.key.lastIndexOf('/'))
    if (above !== '') await to.ensureFolder(above)
    if (entry.kind === 'file') await copyFiles(pass, [tree])
    else await copyFolders(pass, tree.key)
  }
  await removeCopies({ db, store: to, place: copying.move, side: 'to', before: round })
  return pass.tally
}

interface Pass extends Copying {
  readonly round: number
  readonly tally: Tally
}

async function copyFolders(pass: Pass, top: string): Promise<void> {
  const { from, signal, tally } = pass
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (!(await copyFolder(pass, folder))) continue
    for await (const page of from.list(folder, { signal })) {
      tally.leftOut += page.leftOut
      const keys = page.names.map((name) => `${folder}/${name}`)
      waiting.push(...keys.filter((_key, at) => page.kinds[at] === KIND_FOLDER))
      const files = keys.filter((_key, at) => page.kinds[at] === KIND_FILE)
      for (let at = 0; at < files.length; at += FILES_AT_ONCE)
        await copyFiles(
          pass,
          files.slice(at, at + FILES_AT_ONCE).map((key) => ({ key })),
        )
    }
  }
}

/** @returns false when it is gone again */
async function copyFolder(pass: Pass, key: string): Promise<boolean> {
  const { db, from, to } = pass
  const entry = await from.stat(key)
  if (entry?.kind !== 'folder') return false
  if ((await to.stat(key))?.kind === 'file') await removeIfThere(to, key)
  await to.ensureFolder(key)
  const etag = (await to.stat(key))?.etag ?? ''
  await relocationsStore.put(db, rowOf(pass, entry, etag))
  return true
}

async function copyFiles(pass: Pass, trees: readonly PlaceTree[]): Promise<void> {
  const { db, move, round, signal } = pass
  const hashes = trees.map(({ key }) => versionKeyHash(key))
  const known = await relocationsStore.copiesAt(db, move, hashes)
  const seen: string[] = []
  for (const [at, tree] of trees.entries()) {
    signal.throwIfAborted()
    const hash = hashes[at] ?? ''
    const isCopied = await copyFile(pass, tree, known.get(hash))
    if (isCopied) seen.push(hash)
  }
  await relocationsStore.markSeen(db, move, seen, round)
}

/** @returns whether a copy of it stood there already */
async function copyFile(pass: Pass, tree: PlaceTree, known: PlaceCopyRow | undefined): Promise<boolean> {
  const { from, tally } = pass
  const entry = await from.stat(tree.key)
  if (entry?.kind !== 'file') return false
  if (known !== undefined && known.is_folder === 0 && known.from_etag === entry.etag && known.to_etag !== '') {
    pass.onCopied?.({ files: 1, bytes: entry.size, isNew: false })
    return true
  }
  try {
    await copyBytes(pass, tree, entry)
    tally.copied++
    pass.onCopied?.({ files: 1, bytes: 0, isNew: true })
  } catch (thrown) {
    if (isChange(thrown)) tally.changed++
    else if (thrown instanceof AppError && thrown.code === 'FILE_CORRUPT') tally.corrupt.push(tree.key)
    else throw thrown
  }
  return false
}

function isChange(thrown: unknown): boolean {
  if (thrown instanceof AppError) return thrown.code === 'FILE_CHANGED'
  return thrown instanceof StorageError && (thrown.reason === 'not-found' || thrown.reason === 'conflict')
}

async function copyBytes(pass: Pass, { key, hash = '' }: PlaceTree, entry: Entry): Promise<void> {
  const { db, from, to, move, signal } = pass
  const noted = hash === '' ? await hashAt(db, { spaceIds: [move.space_id], key }) : { etag: entry.etag, hash }
  // The row comes first: whatever is there after a crash has one.
  await relocationsStore.put(db, rowOf(pass, entry, ''))
  const target = { store: to, key }
  const staged = await stageFile({ store: from, key }, target, {
    ...{ signal, etag: entry.etag, recorded: noted },
    onBytes: (bytes) => pass.onCopied?.({ files: 0, bytes, isNew: true }),
  })
  try {
    const present = await to.stat(key)
    if (present?.kind === 'folder') await removeIfThere(to, key)
    const stored = await publishStaged(target, staged, present?.kind === 'file' ? present.etag : undefined)
    await requireStored(target, staged, stored)
    await relocationsStore.put(db, rowOf(pass, entry, stored.etag))
  } catch (thrown) {
    await to.abortUpload(staged.upload)
    throw thrown
  }
}

function rowOf({ move, round }: Pass, { key, kind, etag, size }: Entry, to_etag: string): PlaceCopyRow {
  const { owner_id, space_id, group_id } = move
  return {
    ...{ owner_id, space_id, group_id, key_hash: versionKeyHash(key), storage_key: key },
    ...{ is_folder: kind === 'folder' ? 1 : 0, from_etag: etag, to_etag, size, round },
  }
}
