import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@godwit/base'
import { isOlder } from '@godwit/contract'
import type { Obeyed } from '../daemon/client-line.ts'
import { clientFolder, type Profile } from '../profiles/profile.ts'
import { RELEASE } from '../release.ts'
import { releaseSource } from './release-source.ts'
import { checkRelease, prepareVersion, type PrepareDeps, type UpgradeStep, type Wanted } from './prepare.ts'
import { changeRecord, readRecord } from './record.ts'
import { confirmTrial, currentVersion, ownTree, prune, type Tree } from './tree.ts'
import { UpgradeError } from './upgrade-error.ts'

export interface UpgraderDeps {
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly reached: (step: UpgradeStep, version: string) => void
  readonly failed: (version: string, reason: string) => void
  /** A version lies ready: the daemon ends so that it can be tried. */
  readonly ready: (version: string) => void
}

/** Nobody wants to see their client restart again and again for a version that does not start. */
const AGAIN_MS = 24 * 3_600_000
/** Less than a server waits for the answer to a command. */
const CHECK_MS = 8_000

/** Where packages are kept until they are installed. */
export function updatesFolder(environment: NodeJS.ProcessEnv): string {
  return join(clientFolder(environment), 'updates')
}

/** Upgrades the client when a server asks for it: to what its makers signed, and to nothing else. */
export class Upgrader {
  readonly #deps: UpgraderDeps
  #running: Promise<void> | undefined

  constructor(deps: UpgraderDeps) {
    this.#deps = deps
  }

  /** @param isAuto nobody pressed a button. @returns at once, whether an upgrade has begun */
  async ask(profile: Profile, isAuto: boolean): Promise<Obeyed> {
    if (this.#running !== undefined) return { success: true }
    const tree = ownTree()
    if (RELEASE === undefined || tree === undefined) return { success: false, refusal: 'by-hand' }
    const { environment, clock, signal, reached } = this.#deps
    const { trusted, failed } = await readRecord(environment)
    const deps: PrepareDeps = {
      ...{ own: RELEASE, keys: [...RELEASE.keys, ...trusted], source: releaseSource(profile, signal) },
      ...{ folder: updatesFolder(environment), signal, reached },
    }
    try {
      const quick = {
        ...deps,
        source: releaseSource(profile, AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)])),
      }
      const wanted = await checkRelease(quick)
      const isTold = failed?.version === wanted.release.version && clock.now() - failed.at < AGAIN_MS
      if (isAuto && isTold) return { success: false, refusal: 'failed' }
      this.#running ??= this.#prepare(deps, tree, wanted)
      return { success: true }
    } catch (thrown) {
      return { success: false, refusal: thrown instanceof UpgradeError ? thrown.reason : 'failed' }
    }
  }

  async #prepare(deps: PrepareDeps, tree: Tree, wanted: Wanted): Promise<void> {
    const { environment, clock, signal, failed, ready } = this.#deps
    const { version } = wanted.release
    try {
      ready(await prepareVersion(deps, tree, wanted))
    } catch (thrown) {
      // What was fetched so far is there when the client starts again.
      if (signal.aborted) return
      const reason = thrown instanceof Error ? thrown.message : 'unknown error'
      await changeRecord(environment, { failed: { version, reason, at: clock.now() } })
      failed(version, reason)
      this.#running = undefined
    }
  }
}

/** A server was reached: if this version is on trial, it has proven itself, and what it replaced may go with the next one. */
export async function proveVersion(environment: NodeJS.ProcessEnv): Promise<void> {
  const tree = ownTree()
  if (RELEASE === undefined || tree === undefined) return
  const { version } = RELEASE
  const old = await currentVersion(tree)
  if (!isOlder(old, version) || !(await confirmTrial(tree, version))) return
  await changeRecord(environment, { failed: undefined })
  await prune(tree, [old, version])
  await rm(updatesFolder(environment), { recursive: true, force: true })
}
