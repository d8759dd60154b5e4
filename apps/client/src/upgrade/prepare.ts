import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { ClientRelease, ReleasedPackage, SignedRelease } from '@godwit/contract'
import type { Release } from '../release.ts'
import { fetchPackage } from './fetch-package.ts'
import { openRelease, packageFor } from './signing.ts'
import { isWritable, programOf, type Tree, unpack } from './tree.ts'
import { causeText, UpgradeError } from './upgrade-error.ts'

/** What a server is asked for. */
export interface ReleaseSource {
  release(): Promise<SignedRelease>
  /** The bytes of a package from here on. */
  package(type: ReleasedPackage['type'], from: number): Promise<Response>
}

/** Each is whole when the next one begins; a program that is killed in between begins anew and finds what is whole. */
export type UpgradeStep = 'released' | 'fetched' | 'unpacked' | 'tested' | 'on-trial' | 'confirmed' | 'rolled-back'

export interface PrepareDeps {
  readonly own: Release
  /** Public keys: those of the package, and those that the owner of the computer added. */
  readonly keys: readonly string[]
  readonly source: ReleaseSource
  /** Takes what is fetched. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly reached: (step: UpgradeStep, version: string) => void
}

export interface Wanted {
  readonly release: ClientRelease
  readonly package: ReleasedPackage
}

const AGAIN_MS = 2_000
/** A first start reads all of the program from the disk. */
const TEST_MS = 60_000

/** Decides whether what a server has may replace this program. @throws UpgradeError */
export async function checkRelease({ own, keys, source, reached }: PrepareDeps): Promise<Wanted> {
  const signed = await source.release().catch((thrown: unknown) => {
    throw new UpgradeError('untrusted', 'the server has no signed release', { cause: thrown })
  })
  const release = openRelease(signed, keys)
  const found = { release, package: packageFor(release, own) }
  reached('released', release.version)
  return found
}

/** @returns the file of the package, checked. @throws UpgradeError */
export async function fetchRelease(deps: PrepareDeps, { release, package: wanted }: Wanted): Promise<string> {
  const { folder, source, signal, reached } = deps
  const ask = (from: number): Promise<Response> => source.package(wanted.type, from)
  const file = await fetchPackage({ folder, ask, signal, againMs: AGAIN_MS }, wanted)
  reached('fetched', release.version)
  return file
}

/** Lays the new version beside the old one and asks it for its name. @throws UpgradeError */
export async function prepareVersion(deps: PrepareDeps, tree: Tree, wanted: Wanted): Promise<string> {
  const { version } = wanted.release
  if (!(await isWritable(tree))) throw new UpgradeError('by-hand', `${tree.root} belongs to somebody else`)
  const file = await fetchRelease(deps, wanted)
  await unpack(tree, version, file).catch((cause: unknown) => {
    throw new UpgradeError('not-stored', `${version} cannot be unpacked: ${causeText(cause)}`, { cause })
  })
  await rm(file)
  deps.reached('unpacked', version)
  await testVersion(tree, version, deps.signal)
  deps.reached('tested', version)
  return version
}

/** It starts on this computer at all, and is what the release says. */
async function testVersion(tree: Tree, version: string, signal: AbortSignal): Promise<void> {
  const [program, ...words] = programOf(tree, version)
  const child = spawn(program, [...words, '--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    timeout: TEST_MS,
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]).catch((thrown: unknown) => {
    throw new UpgradeError('not-started', `${version} does not start`, { cause: thrown })
  })
  if (said.trim() !== `godwit-client ${version}`)
    throw new UpgradeError('not-started', `${version} does not start: it says "${said.trim().slice(0, 100)}"`)
}
