import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ClientPackage } from '@godwit/contract'
import { isKey, publicKeyOf } from '../apps/client/src/upgrade/signing.ts'
import { CLIENT_VERSION } from '../apps/client/src/version.ts'
import { makeDeb, makeDmg, makeExe, makeRpm, makeTgz, type PackageFacts } from './packaging/formats.ts'
import { PLATFORMS, type Platform } from './packaging/platforms.ts'
import { makeKey, readKey, removeRelease, writeOwnRelease, writeRelease } from './packaging/release.ts'
import { makeSingle } from './packaging/single.ts'
import { layOut } from './packaging/tree.ts'

/** `npm run package`: the packages of the desktop client and the `gwt` of one file, made where a server of this folder serves them. */

const MAKE: Readonly<Record<ClientPackage, (facts: PackageFacts) => Promise<void>>> = {
  deb: makeDeb,
  rpm: makeRpm,
  tgz: makeTgz,
  exe: makeExe,
  dmg: makeDmg,
}

export type Packaged = ClientPackage | 'gwt'
const ALL: readonly Packaged[] = [...PLATFORMS.map(({ type }) => type), 'gwt']

export interface PackagingOptions {
  readonly out: string
  readonly types: readonly Packaged[]
  /** Quick and large, for tests. */
  readonly isQuick: boolean
  /** Default: that of the sources. */
  readonly version?: string
  /** Who signs the release; without it clients are renewed by hand. */
  readonly signing?: Signing
}

interface Signing {
  /** File of the private key. */
  readonly keyFile: string
  /** Public keys of others who may sign later releases. */
  readonly trusted: readonly string[]
  /** The oldest version that this one replaces without a person. */
  readonly minVersion: string
}

/** @returns the files, in the order of the types */
export async function makePackages(options: PackagingOptions): Promise<readonly string[]> {
  const { out, types, isQuick, version = CLIENT_VERSION, signing } = options
  await mkdir(out, { recursive: true })
  const key = signing === undefined ? undefined : await readKey(signing.keyFile)
  const keys = key === undefined ? [] : [publicKeyOf(key), ...(signing?.trusted ?? [])]
  const made: Array<{ readonly platform: Platform; readonly file: string }> = []
  const results: string[] = []
  for (const type of types) {
    const result = join(out, type === 'gwt' ? 'gwt' : `godwit-client.${type}`)
    const platform = PLATFORMS.find((known) => known.type === (type === 'gwt' ? 'deb' : type))
    if (platform === undefined) throw new Error(`no such package: ${type}`)
    await makePackage({ type, platform, result, version, isQuick, keys })
    if (type !== 'gwt') made.push({ platform, file: result })
    results.push(result)
  }
  if (key !== undefined && made.length > 0)
    await writeRelease({ out, version, made, key, minVersion: signing?.minVersion ?? '0.0.0' })
  else if (made.length > 0) await removeRelease(out)
  return results
}

interface Making extends Omit<PackageFacts, 'tree' | 'work'> {
  readonly type: Packaged
  readonly platform: Platform
  readonly keys: readonly string[]
}

async function makePackage({ type, platform, result, version, isQuick, keys }: Making): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-package-'))
  const [tree, work] = [join(folder, 'tree'), join(folder, 'work')]
  try {
    await mkdir(work)
    await layOut(platform, type === 'gwt' ? 'gwt' : 'godwit-client', tree)
    if (type === 'gwt') return await makeSingle(tree, work, result)
    await writeOwnRelease(join(tree, 'app'), { version, form: type, platform: platform.name, keys })
    await MAKE[type]({ tree, work, result, version, isQuick })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runCommand(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      out: { type: 'string', default: 'data/clients' },
      quick: { type: 'boolean', default: false },
      key: { type: 'string' },
      'new-key': { type: 'string' },
      trust: { type: 'string', multiple: true, default: [] },
      'min-version': { type: 'string', default: '0.0.0' },
    },
    allowPositionals: true,
  })
  if (values['new-key'] !== undefined) {
    console.log(`Public key: ${await makeKey(values['new-key'])}`)
    console.log(`Keep ${values['new-key']} where no server reads it: whoever has it can replace every client of yours.`)
    return
  }
  const wrong = values.trust.find((key) => !isKey(key))
  if (wrong !== undefined) throw new Error(`no public key: ${wrong}`)
  const { key: keyFile, trust: trusted, 'min-version': minVersion, quick: isQuick } = values
  const types = ALL.filter((type) => positionals.length === 0 || positionals.includes(type))
  const signing = keyFile === undefined ? {} : { signing: { keyFile, trusted, minVersion } }
  for (const file of await makePackages({ out: resolve(values.out), types, isQuick, ...signing }))
    console.log(`${file}: ${((await stat(file)).size / 1e6).toFixed(1)} MB`)
  console.log(
    keyFile === undefined
      ? 'Nothing is signed: these clients are renewed by hand. --key FILE signs them.'
      : `Signed: release.json names the packages of ${CLIENT_VERSION}.`,
  )
}

if (import.meta.main) await runCommand()
