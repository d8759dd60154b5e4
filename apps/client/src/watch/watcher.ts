import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@godwit/base'
import type { Preferences, Watch } from '../profiles/preferences.ts'
import type { Queue } from '../queue/queue.ts'
import { reasonOf } from '../transfers/reason.ts'
import { repeat } from './repeat.ts'
import { ChangedWatches, directionOf, FOLDER_MISSING } from './watches.ts'

export interface WatchDeps {
  readonly queue: Pick<Queue, 'watched' | 'addWatched'>
  readonly preferences: () => Promise<Pick<Preferences, 'watches'>>
  readonly clock: Clock
  /** @param fault why the folder cannot be looked through; '' when it can */
  readonly report: (watch: Watch, fault: string) => void
}

/** Folders are looked through: a notice of the system gets lost on network drives and with the power. */
const LOOK_MS = 5_000
/** What did not change for so long is complete. */
export const REST_MS = 10_000

interface Seen {
  readonly signature: string
  readonly since: number
}

/** Looks through watched folders of this computer and queues what is new or changed, once it rests. */
export class Watcher {
  readonly #deps: WatchDeps
  readonly #changed = new ChangedWatches()
  /** How each entry looked, and since when. */
  #seen = new Map<string, Seen>()

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  run(signal: AbortSignal): Promise<void> {
    return repeat(() => this.look(), LOOK_MS, signal)
  }

  async look(): Promise<void> {
    const { watches } = await this.#deps.preferences()
    const sent = watches.filter((watch) => directionOf(watch) === 'upload')
    this.#changed.forget(this.#deps.queue, sent)
    const seen = new Map<string, Seen>()
    for (const watch of sent) {
      for (const entry of await this.#entriesOf(watch)) {
        const signature = await signatureOf(join(watch.root, entry))
        if (signature === undefined) continue
        seen.set(join(watch.root, entry), this.#note(watch, entry, signature))
      }
    }
    this.#seen = seen
  }

  /** @returns no entries where the folder cannot be read, which is reported: a drive may come back */
  async #entriesOf(watch: Watch): Promise<readonly string[]> {
    const { report } = this.#deps
    try {
      const entries = await readdir(watch.root)
      report(watch, '')
      return entries
    } catch (error) {
      report(watch, isGone(error) ? FOLDER_MISSING : reasonOf(error))
      return []
    }
  }

  #note(watch: Watch, entry: string, signature: string): Seen {
    const { queue, clock } = this.#deps
    const path = join(watch.root, entry)
    const now = clock.monotonic()
    const before = this.#seen.get(path)
    if (before?.signature !== signature) return { signature, since: now }
    if (
      now - before.since < (watch.sync?.restMs ?? REST_MS) ||
      queue.watched.signatureOf(watch.root, entry) === signature
    )
      return before
    const { server, account, spaceId, groupId, target, root } = watch
    const item = { server, account, spaceId, groupId, target, paths: [path] }
    queue.addWatched({ ...item, direction: 'upload', asks: false }, { root, entries: [{ entry, signature }] })
    return before
  }
}

/**
 * Names, sizes and times of everything in an entry. What in it cannot be read counts as its name and the reason: the transfer leaves it
 * out by name, and it goes once it can be read.
 * @returns undefined for what is neither file nor folder, or went away
 */
async function signatureOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  const add = async (file: string, name: string): Promise<void> => {
    try {
      const found = await lstat(file, { bigint: true })
      if (found.isDirectory()) {
        hash.update(`d ${name}\0`)
        const names = (await readdir(file)).toSorted()
        for (const each of names) await add(join(file, each), `${name}/${each}`)
      } else if (found.isFile()) hash.update(`f ${name}\0${found.size} ${found.mtimeNs}\0`)
    } catch (error) {
      hash.update(`? ${name}\0${reasonOf(error)}\0`)
    }
  }
  try {
    const found = await lstat(path)
    if (!found.isDirectory() && !found.isFile()) return undefined
  } catch (error) {
    if (isGone(error)) return undefined
  }
  await add(path, '')
  return hash.digest('hex')
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(reasonOf(error))
}
