import { compareNames } from '@godwit/base'
import { KIND_FOLDER, type ListPage } from '@godwit/storage'
import { FolderIndex, type Named } from './folder-index.ts'
import { Rows } from './packed-names.ts'
import { unreachable } from '../access/index.ts'

/** Most folders: read, sort, done. Sorting so many names keeps the event loop for some 30 ms. */
export const SMALL_MAX = 10_000

/** @param pages everything that the folder holds */
export function smallIndex(pages: readonly ListPage[], version: string): FolderIndex {
  const entries = pages
    .flatMap(({ names, kinds }) => names.map((name, at) => ({ name, isFolder: kinds[at] === KIND_FOLDER })))
    .filter(({ name }) => unreachable(name) === undefined)
    .toSorted(byPlace)
  const ends = new Uint32Array(entries.length)
  let end = 0
  for (const [at, { name }] of entries.entries()) {
    end += Buffer.byteLength(name)
    ends[at] = end
  }
  const names = new Rows(Buffer.from(entries.map(({ name }) => name).join('')), ends)
  return new FolderIndex({ names, folderCount: entries.filter(({ isFolder }) => isFolder).length }, version)
}

/** Folders first, then by name. */
function byPlace(left: Named, right: Named): number {
  return Number(right.isFolder) - Number(left.isFolder) || compareNames(left.name, right.name)
}
