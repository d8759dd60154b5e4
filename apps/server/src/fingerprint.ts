import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const GENERATED = new Set(['node_modules', 'dist', 'artifacts', 'test-results'])

/**
 * A hash over the names and contents of files: equal when a build from them would be equal.
 * @param root folder that the paths are relative to
 * @param paths files and folders; folders count with everything in them except what tools generate
 */
export function fingerprint(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of allFiles(root, paths)) {
    const content = readFileSync(join(root, path))
    // The length keeps two files from being taken for one that holds both.
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * A hash over the names, sizes and times of files: what has an equal one has an equal fingerprint, without any file being
 * read. The time of the last change of a file's entry is among them, which no program can set.
 */
export function glance(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of allFiles(root, paths)) {
    const { size, mtimeNs, ctimeNs, ino } = statSync(join(root, path), { bigint: true })
    hash.update(`${path}\0${size} ${mtimeNs} ${ctimeNs} ${ino}\0`)
  }
  return hash.digest('hex')
}

function allFiles(root: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => filesUnder(root, path)).toSorted()
}

function filesUnder(root: string, path: string): readonly string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  const files: string[] = []
  const folders = [path]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (GENERATED.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
      if (entry.isDirectory()) folders.push(`${folder}/${entry.name}`)
      else files.push(`${folder}/${entry.name}`)
    }
  }
  return files
}
