import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { CLIENT_PACKAGES, type ClientPackage, signedRelease, type SignedRelease } from '@godwit/contract'

export interface OpenedPackage {
  /** What it is saved as. */
  readonly filename: string
  readonly size: number
  /** The bytes from `start` up to `end`; the caller reads or destroys it. */
  read(span: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** Installers of the desktop client, which an operator puts into `clients` below the data folder. */
export interface ClientPackages {
  present(): Promise<readonly ClientPackage[]>
  /** @returns undefined when it is not there */
  open(type: ClientPackage): Promise<OpenedPackage | undefined>
  /** What their makers signed, as `npm run package` wrote it. @returns undefined without a file of this form */
  release(): Promise<SignedRelease | undefined>
}

const RELEASE = 'release.json'

export function openClientPackages(data: string): ClientPackages {
  // Exactly these names are ever opened.
  const filenameOf = (type: ClientPackage) => `godwit-client.${type}`
  const fileOf = (type: ClientPackage) => path.join(data, 'clients', filenameOf(type))
  return {
    async present() {
      const found = await Promise.all(CLIENT_PACKAGES.map(async (type) => isFile(fileOf(type))))
      return CLIENT_PACKAGES.filter((_, index) => found[index])
    },
    async open(type) {
      if (!(await isFile(fileOf(type)))) return undefined
      const file = await fs.open(fileOf(type))
      const { size } = await file.stat()
      return {
        ...{ filename: filenameOf(type), size },
        read: ({ start, end }) =>
          file.createReadStream({ start, end: end - 1, highWaterMark: 1 << 20, autoClose: false }),
        close: () => file.close(),
      }
    },
    async release() {
      const file = path.join(data, 'clients', RELEASE)
      return (await isFile(file)) ? signedRelease.safeParse(parsed(await fs.readFile(file, 'utf8'))).data : undefined
    },
  }
}

/** A link could lead out of the folder. */
async function isFile(file: string): Promise<boolean> {
  try {
    return (await fs.lstat(file)).isFile()
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return false
    throw thrown
  }
}

/** @returns undefined for what is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
