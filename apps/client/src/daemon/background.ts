import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import type { LocalClientAction, LocalClientView } from '@godwit/contract'
import type { Context } from '../commands/context.ts'
import { Autostart } from '../desktop/autostart.ts'
import type { KeepAwake } from '../desktop/keep-awake.ts'
import { Door } from '../page/door.ts'
import { act } from '../page/page-actions.ts'
import { openPageFiles } from '../page/page-files.ts'
import { servePage } from '../page/page-server.ts'
import { type LinkState, localView } from '../page/page-view.ts'
import { readPreferences, type Watch } from '../profiles/preferences.ts'
import { clientPlaces } from '../profiles/places.ts'
import { type Profile, writeWhole } from '../profiles/profile.ts'
import { LiveItems } from '../queue/live-items.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'
import { accountKey, Rests } from '../queue/rests.ts'
import { type ItemParts, type QueuedResult, type QueueEvent, runQueue } from '../queue/runner.ts'
import { connectApi } from '../server-link/api.ts'
import { Bandwidth, type PacedDownload } from '../transfers/bandwidth.ts'
import type { Link } from '../transfers/connect.ts'
import { messageOf } from '../transfers/reason.ts'
import { launcherOf, ownTree } from '../upgrade/tree.ts'
import { repeat } from '../watch/repeat.ts'
import { watchOf } from '../watch/watches.ts'
import { canNotify } from './keep-notes.ts'
import { keepGoing } from './keep-going.ts'
import { runQueued } from './queued-transfer.ts'
import { PageSignIn } from './sign-in.ts'

const FOLLOW_MS = 1_000

/** How programs of the same account find the page: readable for its owner alone. */
export interface PageAddress {
  readonly origin: string
  readonly key: string
}

export function pageFile(folder: string): string {
  return join(folder, 'page.json')
}

export interface BackgroundDeps {
  readonly context: Context
  readonly queue: Queue
  readonly awake: KeepAwake
  readonly report: (event: QueueEvent, item: QueueItem) => void
}

/** Works off the queue, and serves the page that shows and drives it. */
export class Background {
  readonly #deps: BackgroundDeps
  readonly #live: LiveItems
  readonly #rests = new Rests(systemClock)
  readonly #bandwidth: Bandwidth
  readonly #links = new Map<string, LinkState>()
  /** Accounts that may have no filters of their own, as their servers last said. */
  readonly #locked = new Set<string>()
  /** Why watched folders cannot be looked through, by their paths of this computer. */
  readonly #faults = new Map<string, string>()
  readonly #signIn: PageSignIn
  #pausedUntil = 0

  private constructor(deps: BackgroundDeps, rateMbps: number) {
    this.#deps = deps
    this.#signIn = new PageSignIn(deps.context)
    this.#live = new LiveItems((count) => deps.awake.set(count > 0))
    this.#bandwidth = new Bandwidth({ rateMbps, downloads: () => this.#downloads() })
  }

  static async create(deps: BackgroundDeps): Promise<Background> {
    const { rateMbps, pausedUntil } = await readPreferences(deps.context.environment)
    const background = new Background(deps, rateMbps)
    background.#pausedUntil = pausedUntil
    return background
  }

  /** What a server last said. */
  noteLink(who: Omit<Profile, 'token'>, state: LinkState): void {
    this.#links.set(accountKey(who), state)
    if (!state.isConnected) return
    this.#rests.forget(who)
    this.#live.wake()
    void this.#askForLock(who)
  }

  /** @param fault why a watched folder cannot be looked through; '' when it can */
  noteWatch({ root }: Pick<Watch, 'root'>, fault: string): void {
    this.#faults.set(root, fault)
  }

  async #askForLock(who: Omit<Profile, 'token'>): Promise<void> {
    const profile = await this.#deps.context.profiles.read(who)
    if (profile === undefined) return
    const api = connect(profile)
    try {
      const { isLocked } = await api.filterOf({ spaceId: await api.defaultSpace(), groupId: 0 })
      if (isLocked) this.#locked.add(accountKey(who))
      else this.#locked.delete(accountKey(who))
    } catch {
      // The line has said that the server is away; each upload asks again.
    }
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    const { context, queue, report } = this.#deps
    const { profiles, signal, output } = context
    const failed = (thrown: unknown): void => {
      const reason = messageOf(thrown)
      output.emit('queue-failed', { reason }, `The queue failed and is tried again: ${reason}`)
    }
    await Promise.all([
      keepGoing(() => this.#follow(), { failed, signal }),
      runQueue({
        ...{
          queue,
          profiles,
          signal,
          report,
          failed,
          connect,
          live: this.#live,
          rests: this.#rests,
          clock: systemClock,
        },
        isPaused: () => this.#pausedUntil > systemClock.now(),
        transfer: (item, parts) => this.#transfer(item, parts),
      }),
    ])
  }

  /** Everything that page and tray show. */
  view(): Promise<LocalClientView> {
    const { environment } = this.#deps.context
    return localView({
      ...this.#shared,
      preferences: () => readPreferences(environment),
      canNotify: canNotify(environment),
      faultOf: ({ root }) => this.#faults.get(root) ?? '',
      linkOf: (who) => this.#links.get(accountKey(who)),
      isLocked: (who) => this.#locked.has(accountKey(who)),
    })
  }

  /** Does what page and tray ask for. @throws PageError */
  async act(action: LocalClientAction): Promise<void> {
    const { environment } = this.#deps.context
    await act({ ...this.#shared, environment, connect, bandwidth: this.#bandwidth }, action)
    await this.#readAgain()
  }

  /** Serves the page until the client is stopped. */
  async open(): Promise<void> {
    const { environment, signal, output } = this.#deps.context
    const { state: folder } = clientPlaces(environment)
    const door = new Door(systemClock, secureRandom)
    const origin = await servePage({
      ...{ door, signal, files: await openPageFiles() },
      view: () => this.view(),
      act: (action) => this.act(action),
      failed(thrown) {
        const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : 'unknown error'
        output.emit('page-failed', { reason }, `The page failed: ${reason}`)
      },
    })
    await writeWhole(folder, pageFile(folder), JSON.stringify({ origin, key: door.key } satisfies PageAddress))
    signal.addEventListener('abort', () => void rm(pageFile(folder), { force: true }))
  }

  get #shared() {
    const { context, queue } = this.#deps
    const { environment, profiles } = context
    const autostart = new Autostart(environment, thisProgram())
    const parts = { live: this.#live, rests: this.#rests, signIn: this.#signIn, clock: systemClock }
    return { ...parts, queue, profiles, autostart }
  }

  /** Commands of the terminal change the preferences as well. */
  #follow(): Promise<void> {
    return repeat(() => this.#readAgain(), FOLLOW_MS, this.#deps.context.signal)
  }

  async #readAgain(): Promise<void> {
    const { rateMbps, pausedUntil } = await readPreferences(this.#deps.context.environment)
    if (pausedUntil !== this.#pausedUntil) {
      this.#pausedUntil = pausedUntil
      this.#live.wake()
    }
    if (rateMbps === this.#bandwidth.rateMbps) await this.#bandwidth.fit()
    else await this.#bandwidth.set(rateMbps)
  }

  async #downloads(): Promise<readonly PacedDownload[]> {
    const { context, queue } = this.#deps
    const items = this.#live.ids.map((id) => queue.get(id))
    const found: PacedDownload[] = []
    for (const item of items) {
      if (item === undefined || item.direction === 'upload' || item.transferId === '') continue
      const profile = await context.profiles.read(item)
      if (profile === undefined) continue
      found.push({ id: item.id, limit: (rateMbps) => connect(profile).limit(item.transferId, rateMbps) })
    }
    return found
  }

  async #transfer(item: QueueItem, { signal, ...parts }: ItemParts): Promise<QueuedResult> {
    const { apiHostOf } = await import('../transfers/connect.ts')
    const { udp, rate } = this.#deps.context.options
    const { ceiling } = this.#bandwidth
    const link: Link = { apiHost: apiHostOf(parts.profile), udp: udp ? 'auto' : 'off', rate, ceiling, signal }
    const { exclude, watches } = await readPreferences(this.#deps.context.environment)
    return runQueued({ queue: this.#deps.queue, link, exclude, watch: watchOf(watches, item) }, item, parts)
  }
}

function connect(profile: Profile): ReturnType<typeof connectApi> {
  return connectApi(profile, hostname())
}

/** The words that start it again. */
export function thisProgram(): readonly [string, ...string[]] {
  const tree = ownTree()
  if (tree !== undefined) return [launcherOf(tree)]
  const [program] = process.argv.slice(1)
  if (program === undefined) throw new Error('the program does not know its own path')
  return [process.execPath, program]
}
