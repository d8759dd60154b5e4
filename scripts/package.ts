import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CLIENT_VERSION } from '../apps/client/src/version.ts'
import { makeDeb, makeDmg, makeExe, makeRpm, type PackageFacts } from './packaging/formats.ts'
import { PLATFORMS, type Platform } from './packaging/platforms.ts'
import { makeSingle } from './packaging/single.ts'
import { layOut } from './packaging/tree.ts'

/** `npm run package`: the packages of the desktop client and the `gwt` of one file, made where a server of this folder serves them. */

const MAKE: Readonly<Record<Platform['type'], (facts: PackageFacts) => Promise<void>>> = {
  deb: makeDeb,
  rpm: makeRpm,
  exe: makeExe,
  dmg: makeDmg,
}

export type Packaged = Platform['type'] | 'gwt'
const ALL: readonly Packaged[] = [...PLATFORMS.map(({ type }) => type), 'gwt']

export interface PackagingOptions {
  readonly out: string
  readonly types: readonly Packaged[]
  /** Quick and large, for tests. */
  readonly isQuick: boolean
}

/** @returns the files, in the order of the types */
export async function makePackages({ out, types, isQuick }: PackagingOptions): Promise<readonly string[]> {
  await mkdir(out, { recursive: true })
  const results: string[] = []
  for (const type of types) {
    const folder = await mkdtemp(join(tmpdir(), 'godwit-package-'))
    const [tree, work] = [join(folder, 'tree'), join(folder, 'work')]
    const result = join(out, type === 'gwt' ? 'gwt' : `godwit-client.${type}`)
    try {
      await mkdir(work)
      const platform = PLATFORMS.find((known) => known.type === (type === 'gwt' ? 'deb' : type))
      if (platform === undefined) throw new Error(`no such package: ${type}`)
      await layOut(platform, type === 'gwt' ? 'gwt' : 'godwit-client', tree)
      if (type === 'gwt') await makeSingle(tree, work, result)
      else await MAKE[type]({ tree, work, result, version: CLIENT_VERSION, isQuick })
      results.push(result)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return results
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: 'data/clients' }, quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const types = ALL.filter((type) => positionals.length === 0 || positionals.includes(type))
  for (const file of await makePackages({ out: resolve(values.out), types, isQuick: values.quick }))
    console.log(`${file}: ${((await stat(file)).size / 1e6).toFixed(1)} MB`)
}
