import type { Entry } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { find, within, type Location } from '../access/index.ts'
import type { Wanted } from './find-entries.ts'
import type { SearchEntryRow } from './search.schema.ts'

/** An entry of the index that the caller may see where the index has it. */
export interface Candidate {
  readonly row: SearchEntryRow
  readonly path: string
  /** Of the content that was found; left out for what was found by its name. */
  readonly size?: number
}

/** The storage does not answer: nobody knows what of the index still stands. */
export class StorageSilent extends Error {}

/**
 * What lies at the path of a candidate now. The index is behind: something else may have the path by now, or the entry went on to
 * where a rule hides it, and that rule went with it. Only what stands where the caller looks may be named.
 * @param top a folder above the candidate
 * @returns undefined for what has gone, or is not like this any more
 * @throws StorageSilent
 */
export async function entryNow(
  top: Location,
  { row, path, size }: Candidate,
  wanted: Wanted,
): Promise<Entry | undefined> {
  const names = path
    .slice(top.path.length)
    .split('/')
    .filter((name) => name !== '')
  const found = await findOrNothing(names.reduce(within, top))
  if (found === undefined) return undefined
  const { location, entry } = found
  // Behind the name of a virtual directory the disk may have a folder that nobody reaches.
  const isElsewhere = location.place.groupId !== top.place.groupId && !location.isMount
  const isOther = (entry.kind === 'folder') !== (row.is_folder === 1) || (size !== undefined && size !== entry.size)
  return isElsewhere || isOther || !isWanted(entry, wanted) ? undefined : entry
}

async function findOrNothing(location: Location): ReturnType<typeof find> {
  try {
    return await find(location)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    if (thrown.code === 'STORAGE_UNREACHABLE')
      throw new StorageSilent('while looking at what was found', { cause: thrown })
    if (thrown.status >= 500) throw thrown
    // Such as a link on the way, or a folder that became a file.
    return undefined
  }
}

function isWanted(
  { kind, size, modifiedMs }: Entry,
  { minSize, maxSize, changedAfter, changedBefore }: Wanted,
): boolean {
  const seconds = Math.floor(modifiedMs / 1000)
  const fits = (value: number, from: number | null | undefined, to: number | null | undefined): boolean =>
    value >= (from ?? value) && value <= (to ?? value)
  return (kind === 'folder' || fits(size, minSize, maxSize)) && fits(seconds, changedAfter, changedBefore)
}
