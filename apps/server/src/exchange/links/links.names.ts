import { folderIn, nameIn } from './link-paths.ts'
import type { Link } from './links.schema.ts'

const LABEL_MAX = 255
const SEARCH_MAX = 1024

/** What a link is called in lists, and what a search looks through. */
export function namesOf({ targets }: Pick<Link, 'targets'>): { readonly label: string; readonly search_text: string } {
  const names = targets.map(({ path }) => nameIn(path) || '/')
  const folder = folderIn(targets[0]?.path ?? '/')
  return {
    label: labelOf(names[0] ?? '/'),
    search_text: [...[...names, folder].join('\n').toLowerCase()].slice(0, SEARCH_MAX / 2).join(''),
  }
}

/** As much of a name as a list keeps. */
export function labelOf(name: string): string {
  return [...name].slice(0, LABEL_MAX / 2).join('')
}
