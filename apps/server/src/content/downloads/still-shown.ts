import { within, type Location } from '../access/index.ts'

/** Whether an entry of what was selected may still be sent, asked when its turn comes. */
export type StillShown = (location: Pick<Location, 'path'>, isFolder: boolean) => boolean

/** By what was selected, opened with the rights of now. Nothing is looked at on the storage. */
export function shownIn(selected: readonly Location[]): StillShown {
  return ({ path }, isFolder) => selected.some((top) => isShownFrom(top, path, isFolder))
}

function isShownFrom(top: Location, path: string, isFolder: boolean): boolean {
  if (path === top.path) return true
  const above = top.path === '/' ? '/' : `${top.path}/`
  if (!path.startsWith(above) || !top.permits('downloadFolder')) return false
  const names = path.slice(above.length).split('/')
  let folder = top
  for (const name of names.slice(0, -1)) {
    if (!folder.shows(name, true)) return false
    folder = within(folder, name)
  }
  return folder.shows(names.at(-1) ?? '', isFolder)
}
