import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@godwit/base'
import type { UpgradeStep } from './prepare.ts'
import { changeRecord } from './record.ts'
import { beginTrial, currentVersion, endTrial, programOf, type Tree } from './tree.ts'

export interface TrialDeps {
  readonly tree: Tree
  /** The version that runs when the new one does not. */
  readonly old: string
  /** Words of the daemon, such as `run`. */
  readonly words: readonly string[]
  /** Takes what the daemon prints. */
  readonly log: string
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly reached: (step: UpgradeStep, version: string) => void
}

/** It has to start, load its engine and reach a server, which may restart meanwhile. */
const PROOF_MS = 90_000
const LOOK_MS = 100

/**
 * Starts a version in the place of this program, which has let go of everything, and waits until it has proven itself; otherwise
 * ends it and starts the old one. Who is killed meanwhile leaves the old one as the current one, or one that has proven itself.
 * @returns whether the new one runs
 */
export async function tryVersion(deps: TrialDeps, version: string): Promise<boolean> {
  const { tree, old, environment, clock, reached } = deps
  await beginTrial(tree, version)
  reached('on-trial', version)
  const isProven = await provesItself(deps, version)
  if (isProven) {
    reached('confirmed', version)
    return true
  }
  await endTrial(tree)
  // Before the old one asks a server, which may tell it at once to upgrade itself.
  const detail = `${version} did not reach a server`
  const failed = { version, reason: 'rolled-back', detail, at: clock.now() } as const
  await changeRecord(environment, { failed })
  reached('rolled-back', old)
  startDaemon(deps, old)
  return false
}

async function provesItself(deps: TrialDeps, version: string): Promise<boolean> {
  const child = startDaemon(deps, version)
  const ended = once(child, 'exit').catch((thrown: unknown) => thrown)
  const stopped = new AbortController()
  void ended.then(() => stopped.abort())
  const until = deps.clock.monotonic() + PROOF_MS
  while (!stopped.signal.aborted && deps.clock.monotonic() < until) {
    if ((await currentVersion(deps.tree)) === version) return true
    await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
  }
  child.kill('SIGKILL')
  await ended
  // It may have proven itself in the last moment, and was killed for nothing.
  if ((await currentVersion(deps.tree)) !== version) return false
  startDaemon(deps, version)
  return true
}

function startDaemon({ tree, words, log, environment }: TrialDeps, version: string): ReturnType<typeof spawn> {
  const [program, ...options] = programOf(tree, version)
  const output = openSync(log, 'a', 0o600)
  const child = spawn(program, [...options, ...words], {
    ...{ detached: true, stdio: ['ignore', output, output], env: environment },
  })
  closeSync(output)
  child.on('error', () => undefined)
  child.unref()
  return child
}
