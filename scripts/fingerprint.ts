import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const GENERATED = new Set(['node_modules', 'dist', 'artifacts', 'test-results'])

/**
 * A hash over the names and contents of files: equal when a build from them would be equal.
 * @param root folder that the paths are relative to
 * @param paths files and folders; folders count with everything in them except what tools generate
 */
export async function fingerprint(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of await allFiles(root, paths)) {
    const content = await readFile(join(root, path))
    // The length keeps two files from being taken for one that holds both.
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function allFiles(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(paths.map((path) => filesUnder(root, path)))
  return lists.flat().toSorted()
}

async function filesUnder(root: string, path: string): Promise<readonly string[]> {
  const entries = await readFolder(join(root, path))
  if (entries === undefined) return [path]
  const inner = entries.filter((entry) => !GENERATED.has(entry) && !/\.test\.tsx?$/.test(entry))
  return allFiles(
    root,
    inner.map((entry) => `${path}/${entry}`),
  )
}

async function readFolder(path: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}
