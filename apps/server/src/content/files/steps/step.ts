import type { Entry, ObjectStore } from '@godwit/storage'
import type { Db, Tx } from '../../../kernel/db/index.ts'
import { recordEvent, type DurableEvents } from '../../../kernel/events/index.ts'
import type { Clock } from '@godwit/base'
import { followInRules, type PlaceIds } from '../../access/index.ts'
import type { FileEvent, Origin } from '../../file-events/index.ts'
import { measureStored } from '../measure-tree.ts'
import { hashAt, type VersionRow } from '../../quotas/index.ts'
import type { StepNote } from './step-note.ts'
import type { CrossStorage } from '../../cross-storage/index.ts'

/** One change of the tree on a storage, with all that its books need. Plain JSON: it is written down before it is taken. */
export interface Step extends PlaceIds {
  readonly kind: 'make' | 'rename' | 'move' | 'copy' | 'recycle' | 'restore' | 'revert'
  readonly origin: Origin
  /** The account whose files these are. */
  readonly userId: string
  readonly entry: Entry['kind']
  /** Keys on the storage; `from` is '' for a folder that is made. */
  readonly from: string
  readonly to: string
  /** Where `from` is when that is another place of the space: a group, or 0 for personal files. */
  readonly fromGroupId?: number
  /** Whose personal files `from` was among, when that was another account. */
  readonly fromUserId?: string
  /** The same as their owner sees them. */
  readonly fromPath: string
  readonly path: string
  /** Tag of the source. */
  readonly etag: string
  /** The file whose place is taken. */
  readonly replaced: { readonly etag: string; readonly bytes: number } | undefined
  /** What keeps the content of that file. */
  readonly version?: VersionRow | undefined
  /** Bytes of the source; null for a folder that nobody counted. */
  readonly bytes: number | null
  /** Of the recycled item, or of the version that is taken up again (`revert`); '' where there is neither. */
  readonly recycleId: string
  /** Of a restore: the recycled entry itself, and not only something below it. */
  readonly isWholeItem: boolean
  /** Versions that do not go along with a file that is moved: what it had replaced comes back where they are. */
  readonly staying?: readonly string[]
  /** Of the copy or move of a file to another storage. */
  readonly cross?: CrossStorage
  /** What its job wants to know of it afterwards. */
  readonly note?: StepNote
  /** Keys that are locked meanwhile. */
  readonly held: readonly string[]
}

/** What a step left on the storage. */
export interface Taken {
  readonly etag: string
  /** Bytes of the entry; null for a folder that nobody counted. */
  readonly bytes: number | null
  readonly modifiedMs?: number
}

/**
 * Whether the storage took a step that was cut short, or the first part of it, which is then ended.
 * @returns undefined when it did not
 */
export async function lookAtStep(db: Db, store: ObjectStore, step: Step): Promise<Taken | undefined> {
  const found = await store.stat(step.to)
  if (found === undefined || found.kind !== step.entry) return undefined
  const bytes = found.kind === 'file' ? found.size : step.bytes
  const { modifiedMs } = found
  const taken = { etag: found.etag, bytes, modifiedMs }
  switch (step.kind) {
    case 'make':
      return taken
    case 'copy':
      return (await isOurCopy({ db, store }, step, found)) ? taken : undefined
    case 'rename':
    case 'move':
    case 'recycle':
    case 'restore':
    case 'revert': {
      if (store.capabilities.atomicMove) return found.etag === step.etag ? taken : undefined
      // Copied and then deleted: what was cut short in between goes on.
      const entry = await store.finishMove(step.from, step.to, (there) => isNobodyElses(db, step, there))
      return entry === undefined ? undefined : { ...taken, etag: entry.etag, modifiedMs: entry.modifiedMs }
    }
  }
}

interface Where {
  readonly db: Db
  readonly store: ObjectStore
}

/** A copy appears whole or not at all; what somebody else put there has another size, or came through an upload. */
async function isOurCopy({ db, store }: Where, step: Step, found: Entry): Promise<boolean> {
  if (found.etag === step.replaced?.etag) return false
  if (found.kind === 'folder') return (await measureStored({ store, key: step.to })).bytes === step.bytes
  return found.size === step.bytes && isNobodyElses(db, step, found)
}

/** Whether a file at the target is neither the one that is to be replaced nor one that came through an upload. */
async function isNobodyElses(db: Db, step: Step, { key, etag }: Pick<Entry, 'key' | 'etag'>): Promise<boolean> {
  if (key === step.to && etag === step.replaced?.etag) return false
  return (await hashAt(db, { spaceIds: [step.spaceId], key }))?.etag !== etag
}

/** Lets rules about paths follow an entry that took another path, or came back to one. @returns accounts whose rules changed */
export async function followStep(tx: Tx, step: Step): Promise<readonly string[]> {
  const { kind, origin, path: to, fromPath: from, fromUserId: userId = step.userId } = step
  const { fromGroupId: groupId = step.groupId } = step
  if (!['rename', 'move', 'restore'].includes(kind) || from === to) return []
  // What the rules of somebody name is out of their own reach.
  if (groupId <= 0 && origin.by.id === userId) return []
  return followInRules(tx, { userId, groupId, from, to })
}

/** Emits what became of the entry. */
export async function recordStep(deps: { readonly tx: Tx; readonly clock: Clock }, step: Step, { bytes, etag }: Taken) {
  const { origin, userId, spaceId, groupId, path, entry: kind, fromPath: from, recycleId, etag: etagBefore } = step
  const at = deps.clock.now()
  const tags = { etag, ...(etagBefore === etag ? {} : { etagBefore }) }
  const event: FileEvent = { ...origin, userId, spaceId, groupId, path, kind, size: bytes, at, ...tags }
  const kept = step.version === undefined ? {} : { keptVersionId: step.version.id }
  const replaced = { isReplacement: step.replaced !== undefined, ...kept }
  switch (step.kind) {
    case 'make':
      return recordEvent(deps, 'folder.made', event)
    case 'rename':
      return recordEvent(deps, 'file.renamed', { ...event, from })
    case 'move':
      if (step.fromUserId !== undefined)
        return recordEvent(deps, 'file.copied', { ...event, from, fromUserId: step.fromUserId, ...replaced })
      if (step.fromGroupId === undefined) return recordEvent(deps, 'file.moved', { ...event, from, ...replaced })
      await recordEvent(deps, 'file.copied', { ...event, from, fromGroupId: step.fromGroupId, ...replaced })
      return recordEvent(deps, 'file.deleted', {
        ...{ ...event, groupId: step.fromGroupId, path: from },
        ...{ recycleId: '', isForGood: true },
      })
    case 'copy': {
      const { fromGroupId } = step
      const source = fromGroupId === undefined ? { from } : { from, fromGroupId }
      return recordEvent(deps, 'file.copied', { ...event, ...source, ...replaced })
    }
    case 'recycle': {
      const deleted: DurableEvents['file.deleted'] = { ...event, path: from, recycleId, isForGood: false }
      return recordEvent(deps, 'file.deleted', deleted)
    }
    case 'restore':
      return recordEvent(deps, 'file.restored', { ...event, ...replaced, recycleId })
    case 'revert':
      return recordEvent(deps, 'file.replaced', { ...event, ...kept, restoredVersionId: recycleId })
  }
}
