import fs from 'node:fs'
import path from 'node:path'
import { ConfigError } from './load.ts'

/** Folders of the program itself; `data` may stand beside them, never in them. */
const PROGRAM_FOLDERS = ['.git', 'apps', 'bench', 'docs', 'e2e', 'node_modules', 'packages', 'scripts']

/**
 * What people upload must never lie where it would be run or read as the program's own, and the program never where people
 * upload. Links on the way are followed first.
 * @param data the data folder, which need not exist yet
 * @param program root folder of the installed program
 * @throws ConfigError naming the overlap
 */
export function requireApart(data: string, program: string): void {
  if (!overlapsProgram(data, program)) return
  const [place, root] = [realPlace(data), realPlace(program)]
  const message = `${place} overlaps the program's own folder ${root}; choose a folder apart from it`
  throw new ConfigError([{ key: 'data', source: 'flag', message }])
}

/** Root folder of the installed program. */
export const PROGRAM_FOLDER = path.join(import.meta.dirname, '../../../../..')

/** Whether a folder, which need not exist yet, is a part of the installed program, or holds it. */
export function overlapsProgram(folder: string, program: string): boolean {
  const place = realPlace(folder)
  const root = realPlace(program)
  const below = path.relative(root, place)
  const isBelow = below !== '' && !below.startsWith('..') && !path.isAbsolute(below)
  return isBelow ? PROGRAM_FOLDERS.includes(below.split(path.sep)[0] ?? '') : isInside(root, place)
}

/** Whether a path is a folder or lies below it. */
export function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner)
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))
}

/** The path with every link resolved; what does not exist yet is taken as it is written. */
export function realPlace(folder: string): string {
  const rest: string[] = []
  let at = path.resolve(folder)
  while (!fs.existsSync(at)) {
    rest.unshift(path.basename(at))
    at = path.dirname(at)
  }
  return path.join(fs.realpathSync(at), ...rest)
}
