import {
  TextFault,
  textFormatOf,
  type DocumentText,
  type DocumentTexts,
  type TextFaultReason,
} from '../../foundation/document-texts/index.ts'
import type { Log } from '../../kernel/context.ts'
import { indexedFiles, type FileDeps, type SearchEntryRow, type SearchRootRow } from '../search/index.ts'
import type { DocumentRow } from './full-text.schema.ts'

export interface ReadDeps extends FileDeps {
  readonly texts: Pick<DocumentTexts, 'read'>
  readonly log: Pick<Log, 'warn'>
}

export interface Reading {
  readonly root: SearchRootRow
  readonly entry: SearchEntryRow
  /** What was read of it before. */
  readonly known: DocumentRow | undefined
  readonly limitBytes: number
}

export type ReadResult =
  | { readonly kind: 'text'; readonly etag: string; readonly found: DocumentText }
  /** The content is what was read before. */
  | { readonly kind: 'same' }
  | { readonly kind: 'none'; readonly etag: string; readonly reason: TextFaultReason | 'missing' }
  /** Not the fault of the file. */
  | { readonly kind: 'later' }
  /** The process that read it ended. */
  | { readonly kind: 'crash' }

/** Reads one document. @throws the signal's reason */
export async function readDocument(deps: ReadDeps, reading: Reading, signal: AbortSignal): Promise<ReadResult> {
  const { root, entry, limitBytes } = reading
  if (Number(entry.size) > limitBytes) return { kind: 'none', etag: '', reason: 'too-large' }
  if (Number(entry.size) === 0) return { kind: 'none', etag: '', reason: 'empty' }
  try {
    return await readContent(deps, reading, signal)
  } catch (thrown) {
    signal.throwIfAborted()
    deps.log.warn({ err: thrown, spaceId: root.space_id, groupId: root.group_id }, 'a document waits for its storage')
    return { kind: 'later' }
  }
}

async function readContent(
  deps: ReadDeps,
  { root, entry, known, limitBytes }: Reading,
  signal: AbortSignal,
): Promise<ReadResult> {
  const format = textFormatOf(entry.ending)
  const reader = await indexedFiles.open(deps, root, entry)
  if (reader === undefined || format === undefined) return { kind: 'none', etag: '', reason: 'missing' }
  try {
    const { size: bytes, etag } = reader.entry
    const none = (reason: TextFaultReason): ReadResult => ({ kind: 'none', etag, reason })
    if (bytes > limitBytes) return none('too-large')
    if (bytes === 0) return none('empty')
    if (etag !== '' && known?.etag === etag && known.slot !== null) return { kind: 'same' }
    const read = (stop: AbortSignal): AsyncIterable<Uint8Array> => reader.stream({}, stop)
    try {
      return { kind: 'text', etag, found: await deps.texts.read({ format, bytes, read }, signal) }
    } catch (thrown) {
      if (!(thrown instanceof TextFault)) throw thrown
      return thrown.cause === undefined ? none(thrown.reason) : { kind: 'crash' }
    }
  } finally {
    await reader.close()
  }
}
