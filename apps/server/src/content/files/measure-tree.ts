import { KIND_FILE, KIND_FOLDER } from '@godwit/storage'
import { takesNew, unreachable, within, type Location, type Need } from '../access/index.ts'
import type { StoredEntry } from './files.changes.ts'

export interface TreeSize {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** What exists below a folder for the principal, the folder itself not counted. */
export function measureTree(top: Location, signal: AbortSignal): Promise<TreeSize> {
  return measure(top, signal, {
    shows: (folder, name, isFolder) => folder.shows(name, isFolder),
    within,
  })
}

/**
 * What of a folder may come to be at its target, the folder itself not counted: names and types that are refused there are left out.
 * @param needs what each name is asked for there
 */
export function measureArriving(
  { from, to }: { readonly from: Location; readonly to: Location },
  { needs, signal }: { readonly needs: Readonly<Record<'file' | 'folder', Need>>; readonly signal: AbortSignal },
): Promise<TreeSize> {
  const arriving = (source: Location, target: Location) => ({ store: source.store, key: source.key, source, target })
  return measure(arriving(from, to), signal, {
    shows: ({ source, target }, name, isFolder) => {
      const kind = isFolder ? 'folder' : 'file'
      return source.shows(name, isFolder) && takesNew(target, { name, kind, need: needs[kind] })
    },
    within: ({ source, target }, name) => arriving(within(source, name), within(target, name)),
  })
}

/** Everything below a folder of a storage, whoever may see it: for bookkeeping. */
export function measureStored(top: StoredEntry, signal?: AbortSignal): Promise<TreeSize> {
  return measure(top, signal, {
    shows: (_folder, name) => unreachable(name) === undefined,
    within: ({ store, key }, name) => ({ store, key: `${key}/${name}` }),
  })
}

interface Measuring<Folder> {
  shows(folder: Folder, name: string, isFolder: boolean): boolean
  within(folder: Folder, name: string): Folder
}

async function measure<Folder extends StoredEntry>(
  top: Folder,
  signal: AbortSignal | undefined,
  measuring: Measuring<Folder>,
): Promise<TreeSize> {
  let files = 0
  let folders = 0
  let bytes = 0
  const options = signal === undefined ? { details: true } : { details: true, signal }
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of folder.store.list(folder.key, options)) {
      for (const [at, name] of page.names.entries()) {
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (!measuring.shows(folder, name, isFolder)) continue
        if (isFolder) {
          folders++
          waiting.push(measuring.within(folder, name))
        } else if (page.details?.kinds[at] === KIND_FILE) {
          files++
          bytes += page.details.sizes[at] ?? 0
        }
      }
    }
  }
  return { files, folders, bytes }
}
