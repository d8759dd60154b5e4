import { TransferError } from '../errors/transfer-error.ts'
import type { WireReader, WireWriter } from '../messages/wire.ts'
import type { EntryKind, ManifestEntry } from './entry.ts'
import { checkPath, MAX_PATH_BYTES } from './paths.ts'

/** Entries in one batch. Keeps a batch near 64 KiB and one decode step short. */
export const MAX_BATCH_ENTRIES = 1024

/** By their number on the wire. One number is free. */
const KINDS: readonly EntryKind[] = ['file', 'directory', 'link']
const KIND_COUNT = 4

/** Batch = count, then per entry: kind and mode, size, mtime, bytes shared with the path before, rest of the path, target of a link. */
export function writeBatch(out: WireWriter, entries: readonly ManifestEntry[]): void {
  if (entries.length > MAX_BATCH_ENTRIES) throw new RangeError(`manifest batch of ${entries.length} entries`)
  out.integer(entries.length)
  let before = ''
  for (const entry of entries) {
    const shared = sharedPrefix(before, entry.path)
    out.integer((entry.mode & 0o777) * KIND_COUNT + KINDS.indexOf(entry.kind))
    out.integer(entry.size).integer(entry.mtimeMs)
    out.integer(shared).text(entry.path.slice(shared))
    if (entry.kind === 'link') out.text(entry.linkTarget ?? '')
    before = entry.path
  }
}

/**
 * Reads a batch of the peer. The names in it are checked here, so no unchecked name exists beyond this point.
 * @throws TransferError PATH_REFUSED with the fault, MESSAGE_INVALID, MANIFEST_INVALID
 */
export function readBatch(input: WireReader): ManifestEntry[] {
  const count = input.integer(MAX_BATCH_ENTRIES)
  const entries: ManifestEntry[] = []
  let before = ''
  for (let at = 0; at < count; at++) {
    const flags = input.integer(0o777 * KIND_COUNT + KIND_COUNT - 1)
    const size = input.integer()
    const mtimeMs = input.integer()
    const shared = input.integer(before.length)
    const checked = checkPath(before.slice(0, shared) + input.text(MAX_PATH_BYTES))
    if (!checked.ok) throw new TransferError('PATH_REFUSED', { fault: checked.fault })
    const kind = KINDS[flags % KIND_COUNT]
    if (kind === undefined) throw new TransferError('MANIFEST_INVALID', { reason: 'unknown kind' })
    if (kind !== 'file' && size !== 0) throw new TransferError('MANIFEST_INVALID', { reason: `${kind} with a size` })
    const link = kind === 'link' ? { linkTarget: input.text(MAX_PATH_BYTES) } : {}
    entries.push({ kind, path: checked.path, size, mtimeMs, mode: Math.floor(flags / KIND_COUNT), ...link })
    before = checked.path
  }
  return entries
}

/** UTF-16 units both begin with, never splitting a surrogate pair: each half alone could not be encoded. */
function sharedPrefix(before: string, path: string): number {
  const limit = Math.min(before.length, path.length)
  let length = 0
  while (length < limit && before.charCodeAt(length) === path.charCodeAt(length)) length++
  const last = path.charCodeAt(length - 1)
  return length > 0 && last >= 0xd800 && last <= 0xdbff ? length - 1 : length
}
