import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** The built page and its assets, by the paths that a browser asks for. */
export interface PageFiles {
  read(path: string): Promise<PageFile | undefined>
}

export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' },
  ...{ '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.png': 'image/png' },
}

/** Beside the program where it is installed, else where the sources are built. */
const PLACES = [join(import.meta.dirname, 'web'), join(import.meta.dirname, '../../dist/web')]

/** @throws Error when the page was not built */
export async function openPageFiles(places: readonly string[] = PLACES): Promise<PageFiles> {
  for (const folder of places) {
    const names = await readdir(join(folder, 'assets')).catch(() => undefined)
    if (names === undefined) continue
    // Only names that are there are served, so no name leads anywhere else.
    const known = new Map(names.map((name) => [`/assets/${name}`, join(folder, 'assets', name)]))
    known.set('/', join(folder, 'client.html'))
    return {
      async read(path) {
        const file = known.get(path)
        const type = file === undefined ? undefined : TYPES[extname(file)]
        return file === undefined || type === undefined ? undefined : { type, bytes: await readFile(file) }
      },
    }
  }
  throw new Error('the page of the client is not built')
}
