import { KIND_FOLDER } from '@godwit/storage'
import { nameOf, within, type Found, type Location } from '../files/index.ts'
import { unreachable } from '../listings/index.ts'

/** An entry of a selection with its name in the archive; folders end with '/'. */
export interface Packed {
  readonly location: Location
  readonly name: string
  readonly isFolder: boolean
  readonly modifiedMs: number
}

/** Everything selected and all below it, folders before what is in them. Names taken twice get a number. */
export async function* walkSelection(selected: readonly Found[], signal: AbortSignal): AsyncGenerator<Packed> {
  const taken = new Set<string>()
  for (const { location, entry } of selected) {
    const name = freeName(nameOf(location) || 'files', taken)
    taken.add(name)
    yield* walk({ location, name, isFolder: entry.kind === 'folder', modifiedMs: entry.modifiedMs }, signal)
  }
}

async function* walk(item: Packed, signal: AbortSignal): AsyncGenerator<Packed> {
  if (!item.isFolder) {
    yield item
    return
  }
  yield { ...item, name: `${item.name}/` }
  for await (const page of item.location.store.list(item.location.key, { signal })) {
    for (const [at, name] of page.names.entries()) {
      if (unreachable(name) !== undefined) continue
      const isFolder = page.kinds[at] === KIND_FOLDER
      const location = within(item.location, name)
      yield* walk({ location, name: `${item.name}/${name}`, isFolder, modifiedMs: item.modifiedMs }, signal)
    }
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 1; taken.has(free); number++) free = `${stem} (${number})${extension}`
  return free
}
