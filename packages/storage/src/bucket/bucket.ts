import type { Capabilities, Entry, TreeProgress } from '../object-store.ts'
import type { Progress } from '../progress.ts'

/** An object as a listing or a look at it returns it. */
export interface StoredObject {
  /** Key in the store; folder markers keep their '/' at the end. */
  readonly key: string
  readonly size: number
  readonly modifiedMs: number
  readonly etag: string
}

/** What one look at an object returns; `mark` is that of the upload that made it. */
export type MarkedObject = StoredObject & { readonly mark: string | undefined }

export interface ObjectPage {
  readonly objects: readonly StoredObject[]
  /** Names of folders, without '/'. */
  readonly folders: readonly string[]
}

export interface ListOptions {
  /** With everything below, not only the folder's own entries. */
  readonly deep: boolean
  readonly signal?: AbortSignal | undefined
}

export interface PutOptions {
  /** Throws 'exists' for a name that is taken, where the service decides that. */
  readonly onlyNew: boolean
  readonly mark?: string
}

export interface Multipart {
  readonly key: string
  readonly uploadId: string
}

export interface StoredPart {
  /** From 1. */
  readonly number: number
  readonly size: number
  readonly etag: string
  readonly modifiedMs: number
}

/**
 * One bucket (or container, or a prefix of it) of a service that keeps objects under names, with the errors of the service
 * translated to StorageErrors. A store, its folders and its uploads are made of this alone, whatever the service is.
 */
export interface Bucket {
  readonly capabilities: Capabilities
  /** Bytes of a part, whatever an upload asks for. */
  readonly partBytes: number | undefined
  close(): void
  /** undefined when there is no such object. */
  head(key: string): Promise<MarkedObject | undefined>
  /** Objects below a folder, page by page. */
  list(folder: string, options: ListOptions): AsyncGenerator<ObjectPage>
  /** Bytes of an object as they come. @throws StorageError 'conflict' when it is not `entry` any more */
  read(entry: Entry, span: { start: number; end: number }, signal?: AbortSignal): AsyncGenerator<Uint8Array>
  put(key: string, content: Uint8Array, options: PutOptions): Promise<StoredObject>
  copy(from: StoredObject, to: string): Promise<void>
  /** Deletes one by one; missing objects are ignored. */
  deleteEach(objects: readonly StoredObject[], progress?: Progress): Promise<void>
  /** @param mark random; the finished object carries it @returns the id of the upload */
  beginMultipart(key: string, mark: string): Promise<string>
  putPart(
    multipart: Multipart,
    part: { readonly number: number; readonly content: Uint8Array },
    signal?: AbortSignal,
  ): Promise<void>
  /** Ascending by number. @throws StorageError 'upload-gone' */
  parts(multipart: Multipart): Promise<StoredPart[]>
  /** Makes the object of these parts visible in one step. */
  completeMultipart(multipart: Multipart, parts: readonly StoredPart[], onlyNew: boolean): Promise<void>
  /** An unknown upload is fine. */
  abortMultipart(multipart: Multipart): Promise<void>
  multiparts(): AsyncGenerator<Multipart & { readonly begunMs: number }>
}

/** What an object adds to the progress of a long operation. */
export function countOf(object: StoredObject): Partial<TreeProgress> {
  return object.key.endsWith('/') ? { folders: 1 } : { files: 1, bytes: object.size }
}
