import { KIND_FOLDER, StorageError, type Entry, type ListPage, type StorageReason } from '@godwit/storage'
import { find, nameOf, unreachable, within, type Found, type Location } from '../access/index.ts'
import { storageError } from '../../foundation/storages/index.ts'
import { seenAs } from '../files/index.ts'
import { archiveName } from './archive-names.ts'

/** An entry under a name that need not be its own. */
export interface NamedEntry extends Found {
  readonly shownAs?: string
}

/** An entry of a selection with its name in the archive; folders end with '/'. */
export interface Packed {
  readonly location: Location
  readonly name: string
  readonly isFolder: boolean
  readonly modifiedMs: number
  /** Of what was selected: what stood there, see seen.ts. */
  readonly seen?: string
  /** Of a file, where the storage lists it with everything that is to be known of it. */
  readonly listed?: Listed
}

type Listed = Pick<Entry, 'size' | 'modifiedMs' | 'etag'>

/** What a folder holds beside what is packed of it, such as links. What rules hide is not counted: it does not exist. */
export type OnLeftOut = (folder: string, count: number) => void

export interface Walk {
  readonly signal: AbortSignal
  readonly onLeftOut: OnLeftOut
}

/**
 * Everything selected and all below it, folders before what is in them, the names of a folder in the order of their characters:
 * the same files always come in the same order. Names taken twice get a number. A folder that is another one by the time its turn
 * comes is left out.
 */
export async function* walkSelection(selected: readonly NamedEntry[], how: Walk): AsyncGenerator<Packed> {
  const taken = new Set<string>()
  for (const { location, entry, shownAs } of selected) {
    const name = freeName(archiveName((shownAs ?? nameOf(location)) || 'files'), taken)
    taken.add(name)
    const isFolder = entry.kind === 'folder'
    const seen = seenAs(entry)
    if (isFolder && !(await isStill(location, seen))) how.onLeftOut('', 1)
    else yield* walk({ location, name, isFolder, modifiedMs: entry.modifiedMs, seen }, how)
  }
}

async function isStill(location: Location, seen: string): Promise<boolean> {
  const now = await find(location)
  return now !== undefined && seenAs(now.entry) === seen
}

async function* walk(item: Packed, how: Walk): AsyncGenerator<Packed> {
  if (!item.isFolder) {
    yield item
    return
  }
  yield { ...item, name: `${item.name}/` }
  const { children, leftOut } = await childrenOf(item.location, how.signal)
  for (const { name, isFolder, listed } of children) {
    const below = { name: `${item.name}/${archiveName(name)}`, isFolder, modifiedMs: item.modifiedMs }
    const location = within(item.location, name)
    yield* walk({ ...below, location, ...(listed === undefined ? {} : { listed }) }, how)
  }
  if (leftOut > 0) how.onLeftOut(item.name, leftOut)
}

interface Child {
  readonly name: string
  readonly isFolder: boolean
  readonly listed: Listed | undefined
}

interface Children {
  readonly children: readonly Child[]
  readonly leftOut: number
}

/** @throws AppError of the storage; a folder that went away or is something else by now has nothing, and counts as left out */
async function childrenOf(folder: Location, signal: AbortSignal): Promise<Children> {
  try {
    return await readFolder(folder, signal)
  } catch (thrown) {
    if (thrown instanceof StorageError && GONE.has(thrown.reason)) return { children: [], leftOut: 1 }
    throw thrown instanceof StorageError ? storageError(thrown) : thrown
  }
}

const GONE: ReadonlySet<string> = new Set<StorageReason>(['not-found', 'not-a-folder'])

async function readFolder(folder: Location, signal: AbortSignal): Promise<Children> {
  const { store } = folder
  const children: Child[] = []
  let leftOut = 0
  const options = { details: store.capabilities.detailedList, signal }
  for await (const page of store.list(folder.key, options)) {
    leftOut += page.leftOut
    for (const [at, name] of page.names.entries()) {
      const isFolder = page.kinds[at] === KIND_FOLDER
      if (unreachable(name) !== undefined) leftOut++
      else if (folder.shows(name, isFolder)) children.push({ name, isFolder, listed: listedAt(page, at) })
    }
  }
  return { children: children.toSorted((one, other) => (one.name < other.name ? -1 : 1)), leftOut }
}

function listedAt({ kinds, details }: ListPage, at: number): Listed | undefined {
  const etag = details?.etags?.[at]
  if (kinds[at] === KIND_FOLDER || etag === undefined || etag === '') return undefined
  return { size: details?.sizes[at] ?? 0, modifiedMs: details?.modifiedMs[at] ?? 0, etag }
}

/** `name`, `name (1)`, ... */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 1; taken.has(free); number++) free = `${stem} (${number})${extension}`
  return free
}
