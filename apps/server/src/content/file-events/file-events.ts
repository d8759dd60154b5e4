import type { Ctx, Door } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { PlaceIds } from '../access/index.ts'

/** Who asked for a change, and by which door. Plain JSON: uploads and jobs keep it, because they outlive the request. */
export interface Origin {
  /** `system` is the installation itself, as when the time of retention ends. */
  readonly by: {
    readonly kind: Principal['kind'] | 'system'
    readonly id: string
    /** Of a guest. */
    readonly visitId?: string
  }
  readonly door: Door
}

/** What happened to one entry: to a file, or to a folder with all below it. */
export interface FileEvent extends Origin, PlaceIds {
  /** The account whose files these are. */
  readonly userId: string
  /** As its owner sees it, after the change. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** Bytes; for a folder of everything below it, null where nobody counted. */
  readonly size: number | null
  /**
   * The storage's tag of the entry after the change, in the bin for one that was recycled; left out where nothing is left, or
   * nobody looked. It tells an entry from a later one of the same name.
   */
  readonly etag?: string
  /** The tag before it, where that is another: the storage copied it, and whatever is in it has other tags as well. */
  readonly etagBefore?: string
  /** Unix milliseconds. */
  readonly at: number
}

interface FromPath {
  /** Where the entry was, or where its source is. */
  readonly from: string
}

interface FromPlace extends FromPath {
  /** The group whose library the source is in, 0 for personal files; absent: the place of the event. */
  readonly fromGroupId?: number
  /** The account whose files the source was among, when they were handed over; absent: that of the event. */
  readonly fromUserId?: string
}

interface Replacing {
  /** Whether a file of the same path was replaced. */
  readonly isReplacement: boolean
  /** The version that keeps what was replaced. */
  readonly keptVersionId?: string
}

interface Replaced {
  /** The version that keeps what was replaced; absent where none is kept. */
  readonly keptVersionId?: string
  /** The version that took the place; absent for an upload. */
  readonly restoredVersionId?: string
}

declare module '../../kernel/events/outbox.ts' {
  /** See docs/events.md. Each is committed with the bookkeeping of its change, so neither exists without the other. */
  interface DurableEvents {
    /** An upload made a file that was not there before. */
    readonly 'file.committed': FileEvent
    /** An upload, or an earlier version, took the place of a file. */
    readonly 'file.replaced': FileEvent & Replaced
    readonly 'folder.made': FileEvent
    readonly 'file.renamed': FileEvent & FromPath
    readonly 'file.moved': FileEvent & FromPath & Replacing
    /** Also what was moved from another place, whose source ends with `file.deleted`. */
    readonly 'file.copied': FileEvent & FromPlace & Replacing
    /** `recycleId` names it in the recycle bin, '' when it was moved to another place; with `isForGood` it has left the bin as well. */
    readonly 'file.deleted': FileEvent & { readonly recycleId: string; readonly isForGood: boolean }
    /** A version was deleted; `path` is that of its file, '' where that is not known any more. */
    readonly 'version.removed': FileEvent & { readonly versionId: string }
    readonly 'file.restored': FileEvent & Replacing & { readonly recycleId: string }
    /** The first byte is about to leave; one event for each path that was asked for. */
    readonly 'file.downloaded': FileEvent
    /** A preview was opened; `at` is when. */
    readonly 'file.previewed': FileEvent
  }
}

/** @throws AppError TOKEN_INVALID for a caller that nobody knows */
export function originOf({ principal, door }: Pick<Ctx, 'principal' | 'door'>): Origin {
  if (principal === undefined) throw new AppError('TOKEN_INVALID')
  const { kind, id } = principal
  return { by: { kind, id, ...(kind === 'guest' ? { visitId: principal.visitId } : {}) }, door }
}

/** An origin as a row keeps it. @param userId stands for rows from before origins were kept */
export function parseOrigin(text: string, userId: string): Origin {
  return text === '' ? { by: { kind: 'user', id: userId }, door: 'http' } : (JSON.parse(text) as Origin)
}
