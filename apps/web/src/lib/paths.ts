/** Paths as the user sees them below the root of a space: `/`, `/reports`, `/reports/2026.pdf`. */

export function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** From the root down: `/a/b` gives `/`, `/a`, `/a/b`. */
export function ancestors(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return ['/', ...parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)]
}

/** One form for every spelling of an address: leading slash, no empty parts, none at the end. */
export function normalPath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/')}`
}
