import { compareNames } from '@godwit/base'
import { FolderIndex, unknownDetails, type Named } from './folder-index.ts'
import { Rows } from './packed-names.ts'

export type Change = 'folder' | 'file' | 'gone'

/** One difference: a name put in before an entry, or an entry taken out. */
interface Edit {
  readonly at: number
  /** undefined: the entry goes */
  readonly added: Named | undefined
}

/**
 * The index with changes merged in, in one pass of block copies: 10 ms at a million names. Sizes and times are kept, but for
 * the names that changed.
 */
export function withChanges(index: FolderIndex, changes: ReadonlyMap<string, Change>, version: string): FolderIndex {
  const edits: Edit[] = []
  const changed: number[] = []
  for (const [name, what] of changes) {
    for (const isFolder of [true, false]) {
      const entry = index.indexOf({ name, isFolder })
      const isWanted = what === (isFolder ? 'folder' : 'file')
      if (entry >= 0 && isWanted) changed.push(entry)
      else if (entry >= 0) edits.push({ at: entry, added: undefined })
      else if (isWanted) edits.push({ at: index.placeOf({ name, isFolder }), added: { name, isFolder } })
    }
  }
  const old = index.contents
  const details = old.details && { sizes: old.details.sizes.slice(), times: old.details.times.slice() }
  for (const entry of changed) {
    details?.sizes.fill(Number.NaN, entry, entry + 1)
    details?.times.fill(Number.NaN, entry, entry + 1)
  }
  if (edits.length === 0) return new FolderIndex({ ...old, details }, version)
  return edited(new FolderIndex({ ...old, details }, version), edits.toSorted(byPlace), version)
}

/** What comes in before an entry stands before the question whether that entry stays. */
function byPlace(left: Edit, right: Edit): number {
  if (left.at !== right.at || !left.added || !right.added) {
    return left.at - right.at || Number(right.added !== undefined) - Number(left.added !== undefined)
  }
  const folders = Number(right.added.isFolder) - Number(left.added.isFolder)
  return folders || compareNames(left.added.name, right.added.name)
}

function edited(index: FolderIndex, edits: readonly Edit[], version: string): FolderIndex {
  const { names, details, folderCount } = index.contents
  const added = edits.filter((edit) => edit.added !== undefined)
  const addedBytes = added.reduce((sum, edit) => sum + Buffer.byteLength(edit.added?.name ?? ''), 0)
  const count = index.count + 2 * added.length - edits.length
  const bytes = Buffer.allocUnsafeSlow(names.bytes.length + addedBytes)
  const ends = new Uint32Array(count)
  const fresh = details && unknownDetails(count)
  let end = 0
  let entry = 0
  const keep = (from: number, to: number): void => {
    const shift = end - names.start(from)
    end += names.bytes.copy(bytes, end, names.start(from), names.start(to))
    fresh?.sizes.set(details?.sizes.subarray(from, to) ?? [], entry)
    fresh?.times.set(details?.times.subarray(from, to) ?? [], entry)
    for (let at = from; at < to; at++) ends[entry++] = names.end(at) + shift
  }
  let kept = 0
  let folders = folderCount
  for (const { at, added: named } of edits) {
    keep(kept, at)
    kept = at
    if (named) {
      end += bytes.write(named.name, end)
      ends[entry++] = end
      if (named.isFolder) folders++
    } else {
      kept++
      if (at < folderCount) folders--
    }
  }
  keep(kept, index.count)
  return new FolderIndex(
    { names: new Rows(bytes.subarray(0, end), ends), folderCount: folders, details: fresh },
    version,
  )
}
