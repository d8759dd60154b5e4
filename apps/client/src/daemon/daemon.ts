import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Random } from '@godwit/base'
import type { ClientCommand } from '@godwit/contract'
import type { Profile, Profiles } from '../profiles/profile.ts'
import type { AskedUpgrade } from '../upgrade/upgrader.ts'
import { holdLine, type Ignored, type Introduction, type Obeyed, type UpgradeNews } from './client-line.ts'
import type { Orders } from './orders.ts'

type Who = Omit<Profile, 'token'>

export interface DaemonDeps {
  readonly profiles: Profiles
  readonly introduction: Introduction
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  readonly prepare: () => Promise<void>
  readonly orders: Orders
  /** Begins to upgrade the program. */
  readonly upgrade: (profile: Profile, asked: AskedUpgrade) => Promise<Obeyed>
  readonly upgrades: UpgradeNews
  readonly report: (event: 'connected' | 'disconnected', facts: DaemonFacts) => void
  /** A server sent something that is not as the protocol has it. */
  readonly ignored: (who: Who, what: Ignored) => void
}

export interface DaemonFacts {
  readonly server: string
  readonly account: string
  /** Why it is not connected; '' while it is, and without a known reason. */
  readonly reason: string
  /** The code of a refusal of the server, else 0. */
  readonly refusal: number
}

const AGAIN_MS = 6_000
/** Many clients of a server that restarts come back over this much more time. */
const JITTER = 0.5
/** A server that refused is asked seldom, until the account signs in anew. */
const REFUSED_MS = 60_000
const REFUSALS: readonly number[] = [4401, 4429]

/** Keeps one connection for each account that is signed in, also for those that sign in later, until it is stopped. */
export async function runDaemon(deps: DaemonDeps): Promise<void> {
  const lines = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  while (!deps.signal.aborted) {
    const accounts = new Map((await deps.profiles.list()).map((who) => [JSON.stringify(who), who] as const))
    for (const [key, who] of accounts) {
      if (lines.has(key)) continue
      const stop = new AbortController()
      const signal = AbortSignal.any([stop.signal, deps.signal])
      lines.set(key, { stop, done: keepLine({ ...deps, signal }, who) })
    }
    for (const [key, { stop }] of lines) {
      if (accounts.has(key)) continue
      stop.abort()
      lines.delete(key)
    }
    await pause(AGAIN_MS, deps.signal)
  }
  await Promise.all([...lines.values()].map(({ done }) => done))
}

async function keepLine({ profiles, report, orders, upgrade, ignored, ...deps }: DaemonDeps, who: Who): Promise<void> {
  let { spaceId } = deps.introduction
  const obey = async (command: ClientCommand): Promise<Obeyed> => {
    switch (command.name) {
      case 'setSpace':
        ;({ spaceId } = command)
        return { success: true }
      case 'upload':
      case 'download':
      case 'sync': {
        const outcome = await orders.take(who, command)
        return { success: outcome === 'queued' || outcome === 'asking', outcome }
      }
      case 'upgrade': {
        const profile = await profiles.read(who)
        return profile === undefined ? { success: false } : upgrade(profile, command)
      }
    }
  }
  let refused: { readonly token: string; readonly until: number } | undefined
  while (!deps.signal.aborted) {
    const profile = await profiles.read(who)
    const now = deps.clock.monotonic()
    if (profile !== undefined && (refused?.token !== profile.token || refused.until <= now)) {
      const introduction = { ...deps.introduction, spaceId }
      const connected = (): void => report('connected', { ...who, reason: '', refusal: 0 })
      const { code, refusal, message } = await holdLine({
        ...{ ...deps, ...profile, introduction, obey, connected },
        ignored: (what) => ignored(who, what),
      })
      report('disconnected', { ...who, reason: message, refusal })
      refused = REFUSALS.includes(code)
        ? { token: profile.token, until: deps.clock.monotonic() + REFUSED_MS }
        : undefined
    }
    await pause(AGAIN_MS * (1 + JITTER * shareOf(deps.random)), deps.signal)
  }
}

/** @returns from 0 to 1 */
function shareOf(random: Random): number {
  const [byte = 0] = random.fill(new Uint8Array(1))
  return byte / 255
}

/** Ends early, without an error, when it is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown
  })
}
