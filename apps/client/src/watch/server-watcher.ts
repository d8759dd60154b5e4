import { createHash, type Hash } from 'node:crypto'
import { posix } from 'node:path'
import type { Clock } from '@godwit/base'
import type { Preferences, Watch } from '../profiles/preferences.ts'
import type { Profile, Profiles } from '../profiles/profile.ts'
import type { Queue } from '../queue/queue.ts'
import { reasonOf } from '../transfers/reason.ts'
import type { ServedFile } from '../queue/watched-store.ts'
import type { Api, PlaceIds } from '../server-link/api.ts'
import { eachItem } from '../server-link/each-item.ts'
import { repeat } from './repeat.ts'
import { REST_MS } from './watcher.ts'
import { ChangedWatches, directionOf, requireWatched } from './watches.ts'

export interface ServerWatchDeps {
  readonly queue: Pick<Queue, 'watched' | 'addWatched'>
  readonly preferences: () => Promise<Pick<Preferences, 'watches'>>
  readonly profiles: Pick<Profiles, 'read'>
  readonly connect: (profile: Profile) => Pick<Api, 'list'>
  readonly clock: Clock
  /** @param fault why the folder could not be looked through; '' when it was */
  readonly report: (watch: Watch, fault: string) => void
}

const TICK_MS = 2_000
const LOOK_MS = 10_000
/** A folder that takes long to look through is looked at less often: looking takes at most a twentieth of the time. */
const REST_SHARE = 20
/** Of one transfer: what is missing by then fails all of it, and the next look finds the others again. */
const ENTRIES_MAX = 1_000

/** Entries of a watched folder by their names: how each looks, and what the server has in it. */
type ServerEntries = ReadonlyMap<string, { readonly signature: string; readonly files: readonly ServedFile[] }>

interface Seen {
  readonly signature: string
  readonly since: number
}

/** Looks through folders of servers and queues what is new or changed there. */
export class ServerWatcher {
  readonly #deps: ServerWatchDeps
  readonly #changed = new ChangedWatches()
  readonly #nextLook = new Map<string, number>()
  /** How each entry looked, and since when. */
  readonly #seen = new Map<string, Map<string, Seen>>()

  constructor(deps: ServerWatchDeps) {
    this.#deps = deps
  }

  run(signal: AbortSignal): Promise<void> {
    return repeat(() => this.look(), TICK_MS, signal)
  }

  /** Looks through the folders whose time has come. */
  async look(): Promise<void> {
    const { clock, report } = this.#deps
    const { watches } = await this.#deps.preferences()
    const followed = watches.filter((each) => directionOf(each) === 'download')
    this.#changed.forget(this.#deps.queue, followed)
    for (const watch of followed) {
      const key = JSON.stringify(watch)
      const begun = clock.monotonic()
      if (begun < (this.#nextLook.get(key) ?? 0)) continue
      const fault = await this.#lookAt(watch, key).then(() => '', reasonOf)
      report(watch, fault)
      const now = clock.monotonic()
      // How long a failure took says nothing about the folder.
      const tookMs = fault === '' ? now - begun : 0
      this.#nextLook.set(key, now + Math.max(LOOK_MS, tookMs * REST_SHARE))
    }
  }

  async #lookAt(watch: Watch, key: string): Promise<void> {
    const { profiles, connect, queue } = this.#deps
    await requireWatched(watch.root)
    const profile = await profiles.read(watch)
    if (profile === undefined) throw new Error('signed-out')
    const entries = await entriesOf(connect(profile), watch)
    const changed = this.#rested(watch, key, entries)
    const { server, account, spaceId, groupId, target, root } = watch
    for (let at = 0; at < changed.length; at += ENTRIES_MAX) {
      const part = changed.slice(at, at + ENTRIES_MAX)
      const paths = part.map(([name]) => posix.join(target, name))
      queue.addWatched(
        { server, account, spaceId, groupId, paths, target: root, direction: 'download', asks: true },
        {
          root,
          entries: part.map(([entry, { signature }]) => ({ entry, signature })),
          served: part.flatMap(([, { files }]) => files),
        },
      )
    }
  }

  /** Entries that are not as they were queued, and have rested as long as the site wants. What a server shows is complete. */
  #rested({ root, sync }: Watch, key: string, entries: ServerEntries) {
    const { clock, queue } = this.#deps
    const now = clock.monotonic()
    const before = this.#seen.get(key)
    const seen = new Map<string, Seen>()
    for (const [name, { signature }] of entries) {
      const last = before?.get(name)
      seen.set(name, last?.signature === signature ? last : { signature, since: now })
    }
    this.#seen.set(key, seen)
    const restMs = sync !== undefined && sync.restMs > REST_MS ? sync.restMs : 0
    return [...entries].filter(([name, { signature }]) => {
      const isRested = now - (seen.get(name)?.since ?? now) >= restMs
      return isRested && queue.watched.signatureOf(root, name) !== signature
    })
  }
}

/** @throws ApiError */
async function entriesOf(api: Pick<Api, 'list'>, { spaceId, groupId, target }: Watch): Promise<ServerEntries> {
  const found = new Map<string, { readonly hash: Hash; readonly files: ServedFile[] }>()
  for await (const { path, isFolder, size, time } of everythingIn(api, { spaceId, groupId }, target)) {
    const [name = ''] = path.split('/')
    const entry = found.get(name) ?? { hash: createHash('sha256'), files: [] }
    found.set(name, entry)
    // Lists come in the order of names.
    entry.hash.update(isFolder ? `d ${path}\0` : `f ${path}\0${size} ${time}\0`)
    // Transfers have composed names.
    if (!isFolder) entry.files.push({ path: path.normalize('NFC'), size, time })
  }
  return new Map([...found].map(([name, { hash, files }]) => [name, { signature: hash.digest('hex'), files }]))
}

interface FoundItem extends ServedFile {
  readonly isFolder: boolean
}

/** @param above path of the folder below the watched one, with a slash at its end */
async function* everythingIn(
  api: Pick<Api, 'list'>,
  place: PlaceIds,
  folder: string,
  above = '',
): AsyncGenerator<FoundItem> {
  for await (const { name, file_type: type, size, time } of eachItem(api, place, folder)) {
    const path = above + name
    const isFolder = type !== 'File'
    yield { path, isFolder, size, time }
    if (isFolder) yield* everythingIn(api, place, posix.join(folder, name), `${path}/`)
  }
}
