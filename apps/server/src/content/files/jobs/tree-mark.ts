import { createHash } from 'node:crypto'
import { KIND_FOLDER } from '@godwit/storage'
import type { StoredEntry } from '../files.changes.ts'

/** What is larger is not looked through. */
const ENTRIES_MAX = 20_000

/**
 * Names, sizes and times of all below a folder, in short: it tells whether anything came, went or changed there.
 * @returns undefined for a folder with too much in it
 */
export async function treeMark(top: StoredEntry): Promise<string | undefined> {
  const lines: string[] = []
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of folder.store.list(folder.key, { details: true })) {
      for (const [at, name] of page.names.entries()) {
        const key = `${folder.key}/${name}`
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (isFolder) waiting.push({ store: folder.store, key })
        const facts = isFolder ? 'folder' : `${page.details?.sizes[at]} ${page.details?.modifiedMs[at]}`
        lines.push(`${key.slice(top.key.length)}\0${facts}`)
      }
    }
    if (lines.length > ENTRIES_MAX) return undefined
  }
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}
