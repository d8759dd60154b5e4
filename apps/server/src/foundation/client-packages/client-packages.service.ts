import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { CLIENT_PACKAGES, type ClientPackage } from '@godwit/contract'

export interface OpenedPackage {
  /** What it is saved as. */
  readonly filename: string
  readonly size: number
  /** The caller reads or destroys it. */
  readonly stream: Readable
}

/** Installers of the desktop client, which an operator puts into `clients` below the data folder. */
export interface ClientPackages {
  present(): Promise<readonly ClientPackage[]>
  /** @returns undefined when it is not there */
  open(type: ClientPackage): Promise<OpenedPackage | undefined>
}

export function openClientPackages(data: string): ClientPackages {
  // Exactly these four names are ever opened.
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
      return { filename: filenameOf(type), size, stream: file.createReadStream({ highWaterMark: 1 << 20 }) }
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
