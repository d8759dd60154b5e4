import type { SourceFile } from './source-file.ts'
import type { Sources } from './sources.ts'

/** Files of one drop that are listed one by one; more become one row with a counter. */
const SINGLE_ROWS_MAX = 20

/** What becomes one row of the panel. */
export interface DropGroup {
  readonly name: string
  readonly isGroup: boolean
  readonly sources: readonly SourceFile[]
  readonly emptyFolders: readonly string[]
  readonly unreadable?: readonly string[]
}

/** A row for each top folder; loose files each their own row, unless there are many. */
export function groupDrop({ files, emptyFolders, unreadable }: Sources): readonly DropGroup[] {
  const folders = new Map<string, { sources: SourceFile[]; emptyFolders: string[]; unreadable: string[] }>()
  const loose: SourceFile[] = []
  const folderOf = (path: string) => {
    const top = path.split('/', 1)[0] ?? ''
    const known = folders.get(top) ?? { sources: [], emptyFolders: [], unreadable: [] }
    folders.set(top, known)
    return known
  }
  for (const source of files) {
    if (source.relativePath.includes('/')) folderOf(source.relativePath).sources.push(source)
    else loose.push(source)
  }
  for (const path of emptyFolders) folderOf(path).emptyFolders.push(path)
  for (const path of unreadable) folderOf(path).unreadable.push(path)
  return [...[...folders].map(([name, part]) => ({ name, isGroup: true, ...part })), ...looseGroups(loose)]
}

function looseGroups(files: readonly SourceFile[]): readonly DropGroup[] {
  const [first] = files
  if (files.length > SINGLE_ROWS_MAX && first !== undefined) {
    return [{ name: first.shownAs ?? first.relativePath, isGroup: true, sources: files, emptyFolders: [] }]
  }
  return files.map((source) => ({
    name: source.shownAs ?? source.relativePath,
    isGroup: false,
    sources: [source],
    emptyFolders: [],
  }))
}
