import { KIND_FOLDER } from '@godwit/storage'
import { find, nameOf, unreachable, within, type Found, type Location } from '../access/index.ts'
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
}

/** What a folder holds beside what is packed of it, such as links. What rules hide is not counted: it does not exist. */
export type OnLeftOut = (folder: string, count: number) => void

export interface Walk {
  readonly signal: AbortSignal
  readonly onLeftOut: OnLeftOut
}

/**
 * Everything selected and all below it, folders before what is in them. Names taken twice get a number. A folder that is another
 * one by the time its turn comes is left out.
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
  let leftOut = 0
  for await (const page of item.location.store.list(item.location.key, { signal: how.signal })) {
    leftOut += page.leftOut
    for (const [at, name] of page.names.entries()) {
      const isFolder = page.kinds[at] === KIND_FOLDER
      if (unreachable(name) !== undefined) leftOut++
      else if (item.location.shows(name, isFolder)) {
        const location = within(item.location, name)
        const below = { location, name: `${item.name}/${archiveName(name)}`, isFolder, modifiedMs: item.modifiedMs }
        yield* walk(below, how)
      }
    }
  }
  if (leftOut > 0) how.onLeftOut(item.name, leftOut)
}

/** `name`, `name (1)`, ... */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 1; taken.has(free); number++) free = `${stem} (${number})${extension}`
  return free
}
