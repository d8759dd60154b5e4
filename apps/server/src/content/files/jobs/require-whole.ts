import type { ConflictPolicy } from '@godwit/contract'
import { AppError } from '../../../kernel/errors.ts'
import { find, newWithin, requireNothingHidden, type Found, type Location } from '../../access/index.ts'
import { measureArriving } from '../measure-tree.ts'
import type { Carrier } from './place-entry.ts'

/** An entry that is about to be copied or moved into a folder. */
export interface Departure {
  readonly kind: 'copy' | 'move'
  readonly source: Found
  readonly folder: Location
  readonly name: string
  readonly carrier: Pick<Carrier, 'byEntry' | 'needs'>
  readonly conflict: ConflictPolicy
  /** Whether it goes to another place. */
  readonly isOut: boolean
  /** Whether an earlier run, cut short, began to fill its folder. Its quota was checked then. */
  readonly isResumed: boolean
  readonly signal: AbortSignal
  /** What is booked at the target. A quota of 0 is no limit. */
  readonly usage: () => Promise<{ readonly usedBytes: number; readonly quotaBytes: number }>
  /** Receives all that is to be carried to another storage, before its first byte. */
  readonly onFound: (tree: { readonly files: number; readonly bytes: number }) => void
}

/**
 * Refuses an entry before its first byte when it is not carried in one step: a forbidden entry or a full quota that is found midway
 * would leave half of a folder on either side.
 * @throws AppError PERMISSION_DENIED, QUOTA_EXCEEDED, and for its name FILE_TYPE_NOT_ALLOWED, PATH_EXISTS
 */
export async function requireWhole(departure: Departure): Promise<void> {
  const { kind, source, folder, name, carrier, conflict, isOut, isResumed, signal, usage, onFound } = departure
  const { location, entry } = source
  const isFolder = entry.kind === 'folder'
  const isAcrossStorages = location.store !== folder.store
  const mayMerge = conflict === 'replace' || conflict === 'skip'
  // The name is chosen later. Whatever may be hidden below a name may be hidden below its folder.
  const goesByEntry = isAcrossStorages || (isFolder && carrier.byEntry?.(location, folder) === true)
  if (kind === 'move' && isFolder && (goesByEntry || mayMerge)) await requireNothingHidden(location, { signal })
  if (!goesByEntry || isResumed) return
  const target = newWithin(folder, { name, kind: entry.kind, need: carrier.needs[entry.kind] })
  // A merge need not bring all of it, so each file is checked by itself.
  if (!isAcrossStorages && mayMerge && (await find(target)) !== undefined) return
  const tree = isFolder
    ? await measureArriving({ from: location, to: target }, { needs: carrier.needs, signal })
    : { files: 1, bytes: entry.size }
  // Within a storage each step counts what it finds.
  if (isAcrossStorages) onFound(tree)
  if (kind === 'move' && !isOut) return
  const { usedBytes, quotaBytes } = await usage()
  if (quotaBytes > 0 && usedBytes + tree.bytes > quotaBytes)
    throw new AppError('QUOTA_EXCEEDED', { quotaBytes, usedBytes, reservedBytes: 0, wantedBytes: tree.bytes })
}
