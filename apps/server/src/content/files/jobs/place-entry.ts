import type { ConflictPolicy } from '@godwit/contract'
import { AppError } from '../../../kernel/errors.ts'
import { storageError, withAppErrors } from '../../../foundation/storages/index.ts'
import {
  find,
  folderOf,
  isWithin,
  nameOf,
  newWithin,
  shownEntries,
  within,
  type Found,
  type Location,
  type Need,
} from '../../access/index.ts'
import type { FilesDeps } from '../files.deps.ts'
import { addFolder, type Actor, type Noting } from '../steps/index.ts'

/** How one entry gets to its new place: by copy, or by move. */
export interface Carrier {
  /** What a name in the target folder is asked for, by the kind of the entry. */
  readonly needs: { readonly file: Need; readonly folder: Need }
  /** Whether a folder is made anew and filled entry by entry, because not all of it may be carried. */
  readonly byEntry?: (source: Location, target: Location) => boolean
  /** Called with a target that is free, or a file that may be replaced. */
  carry(source: Found, target: Location, replace: boolean): Promise<void>
  /** The target folder is held from the look at its names until the entry is there: for carriers that take no time. */
  readonly holdsFolder: boolean
  /** The folder of the source is held as well, so that nothing else takes its name between a last look and the step. */
  readonly holdsSource?: boolean
  /** Whether an earlier run, cut short, carried this file already. Asked in a folder that this job made. */
  readonly isCarried?: (source: Location, target: Location) => Promise<boolean>
  /**
   * Called for a folder whose contents were carried one by one.
   * @param made the folder that was made for them; undefined for one that was there before
   */
  emptied(source: Location, made: Location | undefined): Promise<void>
}

export interface Placing {
  readonly files: FilesDeps
  readonly actor: Actor
  readonly conflict: ConflictPolicy
  readonly carrier: Carrier
  readonly signal: AbortSignal
  /** Receives entries of a folder that may not be there, by the rules for types and paths; the others go on. */
  readonly onRefused?: (path: string, error: AppError) => void
  /** Notes the name of a folder that is about to be made and filled, so that a later run goes on in it. */
  readonly onFilling?: (name: string) => Promise<void>
  /** Called before a folder is made to be filled, at any depth. @returns what is noted of it */
  readonly onFolder?: (source: Location, target: Location) => Noting
  /** What an earlier run, cut short, had made of an entry: all of it, or a folder to fill. */
  readonly madeBefore?: (source: Location, target: Location) => 'whole' | 'folder' | undefined
  /** Whether the target is a folder that an earlier run, cut short, began to fill. */
  readonly isResumed?: boolean
}

/**
 * Brings an entry into a folder under its own name. Where the name is taken: `fail` refuses, `skip` leaves the entry where it
 * is, `keep-both` takes the next free name, `replace` replaces a file; folders are merged entry by entry under the same rule.
 * @throws AppError PATH_EXISTS, NAME_CASE_CLASH, TARGET_INSIDE_SOURCE, PERMISSION_DENIED, FILE_TYPE_NOT_ALLOWED and what the
 * storage refuses
 */
export async function placeEntry(
  placing: Placing,
  source: Found,
  folder: Location,
  name = nameOf(source.location),
): Promise<void> {
  placing.signal.throwIfAborted()
  if (isWithin(folder, source.location)) throw new AppError('TARGET_INSIDE_SOURCE')
  const { locks } = placing.files
  const held = placing.carrier.holdsSource === true ? [folder, folderOf(source.location)] : [folder]
  const plan = await locks.runAll(held, async (lease) => {
    const chosen = await choose(placing, source, { folder, name })
    if (chosen.step !== 'put') return chosen
    if (source.entry.kind === 'folder' && placing.carrier.byEntry?.(source.location, chosen.target)) {
      await placing.onFilling?.(nameOf(chosen.target))
      await addFolder(placing.files, placing.actor, chosen.target, placing.onFolder?.(source.location, chosen.target))
      return { step: 'merge', into: chosen.target, isMade: true } as const
    }
    if (placing.carrier.holdsFolder) {
      lease.throwIfAborted()
      await put(placing, source, chosen)
      return NOTHING
    }
    // It may take hours: others see the name as taken, and the folder is free meanwhile.
    return { ...chosen, claim: await locks.claim(folder, nameOf(chosen.target)) }
  })
  if (plan.step === 'merge') await merge(placing, source, plan)
  if (plan.step !== 'put') return
  try {
    await put(placing, source, plan)
  } finally {
    await plan.claim.release()
  }
}

interface Put {
  readonly step: 'put'
  readonly target: Location
  readonly replace: boolean
}

interface Merge {
  readonly step: 'merge'
  readonly into: Location
  /** Whether this job made the folder. */
  readonly isMade: boolean
}

type Choice = Put | Merge | { readonly step: 'nothing' }

const NOTHING: Choice & { readonly step: 'nothing' } = { step: 'nothing' }

/** What is to be done with a name. */
async function choose(
  placing: Placing,
  source: Found,
  { folder, name }: { readonly folder: Location; readonly name: string },
): Promise<Choice> {
  const { files, conflict, carrier } = placing
  const { kind } = source.entry
  const target = newWithin(folder, { name, kind, need: carrier.needs[kind] })
  const claimed = (await files.locks.claimedIn(folder)).like(name)
  const taken = await occupant(files, folder, name)
  if (taken === undefined && claimed === undefined) return putAs(target, false)
  const before = taken && placing.madeBefore?.(source.location, taken.location)
  if (before === 'whole') return NOTHING
  if (before === 'folder' && taken?.entry.kind === kind) return { step: 'merge', into: taken.location, isMade: true }
  if (placing.isResumed === true && taken?.entry.kind === kind) {
    if (kind === 'folder') return { step: 'merge', into: taken.location, isMade: true }
    if (await carrier.isCarried?.(source.location, taken.location)) return NOTHING
  }
  if (conflict === 'keep-both') return putAs(await freePlace(placing, source, target), false)
  if (taken?.location.key === source.location.key) throw new AppError('PATH_EXISTS', { name })
  // A virtual directory is a place of its own: what is brought there is brought into it, by its own path.
  if (taken?.location.isMount === true) throw new AppError('PATH_EXISTS', { name })
  const isMerge = conflict !== 'fail' && source.entry.kind === 'folder' && taken?.entry.kind === 'folder'
  if (isMerge) return { step: 'merge', into: taken.location, isMade: false }
  if (conflict === 'skip') return NOTHING
  const other = taken === undefined ? claimed : nameOf(taken.location)
  if (other?.normalize('NFC') !== name.normalize('NFC')) throw new AppError('NAME_CASE_CLASH', { name })
  const canReplace = conflict === 'replace' && claimed === undefined && source.entry.kind === taken?.entry.kind
  if (!canReplace) throw new AppError('PATH_EXISTS', { name })
  taken.location.require('replace')
  return putAs(taken.location, true)
}

function putAs(target: Location, replace: boolean): Put {
  return { step: 'put', target, replace }
}

async function put(placing: Placing, source: Found, { target, replace }: Put): Promise<void> {
  await withAppErrors(() => placing.carrier.carry(source, target, replace))
}

async function merge(outer: Placing, source: Found, { into, isMade }: Merge): Promise<void> {
  const { onFilling: _, ...placing } = outer
  for (const child of await childrenOf(source.location)) {
    try {
      await placeEntry(placing, child, into)
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !isRefusedByRule(thrown, child, into) || !placing.onRefused) throw thrown
      placing.onRefused(child.location.path, thrown)
    }
  }
  await placing.carrier.emptied(source.location, isMade ? into : undefined)
}

/** Whether only this entry may not be there: its type, or a name that is forbidden. A right that is gone ends the whole. */
function isRefusedByRule({ code }: AppError, { location, entry }: Found, into: Location): boolean {
  if (code === 'FILE_TYPE_NOT_ALLOWED') return true
  return code === 'PERMISSION_DENIED' && !into.shows(nameOf(location), entry.kind === 'folder')
}

async function childrenOf(folder: Location): Promise<Found[]> {
  const children: Found[] = []
  for await (const { location, isFolder } of shownEntries(folder)) {
    const kind = isFolder ? 'folder' : 'file'
    children.push({ location, entry: { key: location.key, kind, size: 0, modifiedMs: 0, etag: '' } })
  }
  return children
}

/** What holds a name, in any form or case. */
async function occupant(files: FilesDeps, folder: Location, name: string): Promise<Found | undefined> {
  const same = await find(within(folder, name))
  if (same !== undefined) return same
  try {
    const twin = await files.indexes.clashOf(folder, name)
    return twin === undefined ? undefined : await find(within(folder, twin))
  } catch (thrown) {
    throw storageError(thrown)
  }
}

/** `report.pdf`, `report (1).pdf`, `report (2).pdf`, ... */
async function freePlace({ files, carrier }: Placing, { entry: { kind } }: Found, taken: Location): Promise<Location> {
  const folder = folderOf(taken)
  const claimed = await files.locks.claimedIn(folder)
  for (let number = 1; ; number++) {
    const name = numbered(nameOf(taken), number)
    const candidate = newWithin(folder, { name, kind, need: carrier.needs[kind] })
    const isTaken = claimed.like(name) ?? (await occupant(files, folder, name))
    if (isTaken === undefined) return candidate
  }
}

/** The stem is cut where name and number together would pass 255 bytes. */
export function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 && name.length - dot <= 32 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const tail = ` (${number})${extension}`
  let characters = [...stem]
  while (Buffer.byteLength(characters.join('') + tail) > 255) characters = characters.slice(0, -1)
  return characters.join('') + tail
}
