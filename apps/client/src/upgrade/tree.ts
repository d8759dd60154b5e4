import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isVersion } from '@godwit/contract'
import { extract, type Extract } from 'tar-stream'
import { readIfThere, writeWhole } from '../profiles/profile.ts'
import { RELEASE } from '../release.ts'

/**
 * A client that its user unpacked, with room for more than one version:
 *
 *     godwit-client        starts the version that `current` names
 *     current              is replaced by one rename, once a version has proven itself
 *     trial                the version that is to prove itself now
 *     versions/1.2.0/      node, app/godwit-client.js, …
 *
 * Whenever a program or the computer is killed, `current` names a version that is whole and has run.
 */
export interface Tree {
  readonly root: string
}

const NAME = 'godwit-client'
/** As in the launcher that `npm run package` makes, and in the first line of bin/godwit-client.ts. */
const OPTIONS = ['--max-semi-space-size=4', '--single-threaded-gc']

/** The one this program runs from. @returns undefined for every other form */
export function ownTree(): Tree | undefined {
  const program = process.argv[1]
  if (RELEASE?.form !== 'tgz' || program === undefined) return undefined
  return { root: resolve(dirname(program), '../../..') }
}

export async function isWritable({ root }: Tree): Promise<boolean> {
  return access(root, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Starts whatever version is the current one then. */
export function launcherOf({ root }: Tree): string {
  return join(root, NAME)
}

/** Starts this version. */
export function programOf(tree: Tree, version: string): readonly [string, ...string[]] {
  const folder = versionFolder(tree, version)
  return [join(folder, 'node'), ...OPTIONS, join(folder, 'app', `${NAME}.js`)]
}

export async function currentVersion({ root }: Tree): Promise<string> {
  return (await readIfThere(join(root, 'current')))?.trim() ?? ''
}

/** Begins to try a version. */
export async function beginTrial({ root }: Tree, version: string): Promise<void> {
  await writeWhole(root, join(root, 'trial'), `${version}\n`)
}

/** The version on trial has proven itself and is the current one from now on. @returns false when it is not on trial */
export async function confirmTrial({ root }: Tree, version: string): Promise<boolean> {
  if ((await readIfThere(join(root, 'trial')))?.trim() !== version) return false
  await rename(join(root, 'trial'), join(root, 'current'))
  return true
}

export async function endTrial({ root }: Tree): Promise<void> {
  await rm(join(root, 'trial'), { force: true })
}

/** Lays a version beside those that are there, whole or not at all. @param archive a `tgz` that was checked */
export async function unpack(tree: Tree, version: string, archive: string): Promise<void> {
  const prefix = `${NAME}/versions/${version}/`
  const folder = versionFolder(tree, version)
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  const entries = extract()
  await Promise.all([
    pipeline(createReadStream(archive, { highWaterMark: 1 << 20 }), createGunzip(), entries),
    writeEntries(entries, prefix, part),
  ])
  await rm(folder, { recursive: true, force: true })
  await rename(part, folder)
}

async function writeEntries(entries: Extract, prefix: string, part: string): Promise<void> {
  for await (const entry of entries) {
    const { name, type, mode } = entry.header
    const path = resolve(part, name.slice(prefix.length))
    // The launcher and the name of the version are no business of an upgrade.
    if (type !== 'file' || !name.startsWith(prefix) || !path.startsWith(part + sep)) entry.resume()
    else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, entry as AsyncIterable<Uint8Array>, { mode: mode & 0o755, flush: true })
    }
  }
  await using folder = await open(part)
  await folder.sync()
}

/** Removes versions that are neither given nor run by anybody: what was replaced stays until the next one proves itself. */
export async function prune({ root }: Tree, keep: readonly string[]): Promise<void> {
  for (const name of await readdir(join(root, 'versions')))
    if (!keep.includes(name)) await rm(join(root, 'versions', name), { recursive: true, force: true })
}

function versionFolder({ root }: Tree, version: string): string {
  if (!isVersion(version)) throw new Error(`no version: ${version}`)
  return join(root, 'versions', version)
}
