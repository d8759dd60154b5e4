import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@godwit/base'
import {
  type ClientCommand,
  isOlder,
  UPGRADE_REFUSALS,
  type UpgradeReason,
  type UpgradeRefusal,
  type UpgradeReport,
} from '@godwit/contract'
import type { Obeyed, UpgradeNews } from '../daemon/client-line.ts'
import { clientPlaces } from '../profiles/places.ts'
import type { Profile } from '../profiles/profile.ts'
import { RELEASE } from '../release.ts'
import { releaseSource } from './release-source.ts'
import { checkRelease, prepareVersion, type PrepareDeps, type UpgradeStep, type Wanted } from './prepare.ts'
import { changeRecord, type FailedUpgrade, readRecord, reportOf } from './record.ts'
import { confirmTrial, currentVersion, ownTree, prune, type Tree } from './tree.ts'
import { causeText, UpgradeError } from './upgrade-error.ts'

export interface UpgraderDeps {
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly reached: (step: UpgradeStep, version: string) => void
  readonly failed: (version: string, reason: string) => void
  /** A version lies ready: the daemon ends so that it can be tried. */
  readonly ready: (version: string) => void
}

/** As the server has it. `isAuto`: nobody pressed a button. */
export type AskedUpgrade = Pick<Extract<ClientCommand, { name: 'upgrade' }>, 'version' | 'isAuto'>

/** Nobody wants to see their client restart again and again for a version that does not start. */
const AGAIN_MS = 24 * 3_600_000
/** Less than a server waits for the answer to a command. */
const CHECK_MS = 8_000

/** Where packages are kept until they are installed. */
export function updatesFolder(environment: NodeJS.ProcessEnv): string {
  return join(clientPlaces(environment).cache, 'updates')
}

/** Upgrades the client when a server asks for it: to what its makers signed, and to nothing else. What became of it is kept, and reported to its servers. */
export class Upgrader implements UpgradeNews {
  readonly changes = new EventTarget()
  readonly #deps: UpgraderDeps
  #running: Promise<void> | undefined

  constructor(deps: UpgraderDeps) {
    this.#deps = deps
  }

  current(): Promise<UpgradeReport | null> {
    return reportOf(this.#deps.environment)
  }

  /** @returns at once, whether an upgrade has begun */
  async ask(profile: Profile, { version, isAuto }: AskedUpgrade): Promise<Obeyed> {
    if (this.#running !== undefined) return { success: true }
    const tree = ownTree()
    try {
      if (RELEASE === undefined || tree === undefined) throw new UpgradeError('by-hand', 'something else installed it')
      const { environment, clock, signal, reached } = this.#deps
      const { trusted, failed } = await readRecord(environment)
      const deps: PrepareDeps = {
        ...{ own: RELEASE, keys: [...RELEASE.keys, ...trusted], source: releaseSource(profile, signal) },
        ...{ folder: updatesFolder(environment), signal, reached },
      }
      const quick = {
        ...deps,
        source: releaseSource(profile, AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)])),
      }
      const wanted = await checkRelease(quick)
      const isRecent = failed?.version === wanted.release.version && clock.now() - failed.at < AGAIN_MS
      if (isAuto && isRecent && !isRefusal(failed.reason)) return { success: false, refusal: 'failed' }
      this.#running ??= this.#prepare(deps, tree, wanted)
      return { success: true }
    } catch (thrown) {
      const { reason } = await this.#note(version, thrown)
      return { success: false, refusal: isRefusal(reason) ? reason : 'failed' }
    }
  }

  async #prepare(deps: PrepareDeps, tree: Tree, wanted: Wanted): Promise<void> {
    const { environment, signal, ready } = this.#deps
    const { version } = wanted.release
    try {
      await changeRecord(environment, { failed: undefined })
      this.changes.dispatchEvent(new Event('change'))
      ready(await prepareVersion(deps, tree, wanted))
    } catch (thrown) {
      // What was fetched so far is there when the client starts again.
      if (signal.aborted) return
      const { detail } = await this.#note(version, thrown)
      this.#deps.failed(version, detail)
      this.#running = undefined
    }
  }

  /** Keeps why there is no upgrade, and lets servers know. */
  async #note(version: string, thrown: unknown): Promise<FailedUpgrade> {
    const { environment, clock } = this.#deps
    const reason = thrown instanceof UpgradeError ? thrown.reason : 'failed'
    const failed = { version, reason, detail: causeText(thrown), at: clock.now() }
    await changeRecord(environment, { failed })
    this.changes.dispatchEvent(new Event('change'))
    return failed
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

/** Whether it never began. */
function isRefusal(reason: UpgradeReason): reason is UpgradeRefusal {
  return UPGRADE_REFUSALS.some((each) => each === reason)
}
