import { createHash } from 'node:crypto'
import { KIND_FOLDER } from '@godwit/storage'
import type { StoredEntry } from './files.changes.ts'

/** What is larger is not looked through. */
export const TREE_MAX = 20_000

/** Of a folder that somebody else put something into while it was filled, or took something out of: no tree is ever like it. */
export const UNLIKE_ANY = 'changed'

/** What is below a folder, by name and kind or size: when a file was changed, in Unix milliseconds, and undefined for a folder. */
export type TreeLines = ReadonlyMap<string, number | undefined>

/** A bucket lists times in milliseconds, and gives that of one file in whole seconds. */
const SAME_TIME_MS = 1_000

/**
 * Names, sizes and times of all below a folder, in short: it tells whether anything came, went or changed there.
 * @param wanted what has to be there and nothing else; otherwise the mark fits no tree
 * @returns undefined for a folder with too much in it
 */
export async function treeMark(top: StoredEntry, wanted?: TreeLines): Promise<string | undefined> {
  const entries = await entriesBelow(top)
  if (entries === undefined) return undefined
  const isWanted = wanted === undefined || (wanted.size === entries.length && entries.every((one) => isOf(wanted, one)))
  if (!isWanted) return UNLIKE_ANY
  const lines = entries.map((one) => (one.size === undefined ? lineOf(one) : `${lineOf(one)} ${one.modifiedMs}`))
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

/** @returns undefined for a folder with too much in it */
export async function treeLines(top: StoredEntry): Promise<TreeLines | undefined> {
  const entries = await entriesBelow(top)
  return entries && new Map(entries.map((one) => [lineOf(one), one.modifiedMs]))
}

export function lineOf({ below, size }: Pick<TreeEntry, 'below' | 'size'>): string {
  return `${below}\0${size ?? 'folder'}`
}

interface TreeEntry {
  /** Its key below the top, with a slash before it. */
  readonly below: string
  /** Of a file. */
  readonly size: number | undefined
  readonly modifiedMs: number | undefined
}

function isOf(lines: TreeLines, entry: TreeEntry): boolean {
  const line = lineOf(entry)
  return lines.has(line) && Math.abs((lines.get(line) ?? 0) - (entry.modifiedMs ?? 0)) < SAME_TIME_MS
}

async function entriesBelow(top: StoredEntry): Promise<readonly TreeEntry[] | undefined> {
  const entries: TreeEntry[] = []
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of folder.store.list(folder.key, { details: true })) {
      for (const [at, name] of page.names.entries()) {
        const key = `${folder.key}/${name}`
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (isFolder) waiting.push({ store: folder.store, key })
        const [size, modifiedMs] = isFolder ? [] : [page.details?.sizes[at], page.details?.modifiedMs[at]]
        entries.push({ below: key.slice(top.key.length), size, modifiedMs })
      }
    }
    if (entries.length > TREE_MAX) return undefined
  }
  return entries
}

/** Names, kinds and sizes alone: what a folder has in common with what it is copied or moved to. */
export function shapeOf(lines: TreeLines): string {
  return createHash('sha256')
    .update([...lines.keys()].toSorted().join('\n'))
    .digest('hex')
}
