import { hostname } from 'node:os'
import type { Clock } from '@godwit/base'
import type { LocalClientView, LocalItemView } from '@godwit/contract'
import type { Autostart } from '../desktop/autostart.ts'
import { downloadFolder, type Preferences, type Watch } from '../profiles/preferences.ts'
import type { Profiles } from '../profiles/profile.ts'
import type { LiveItems } from '../queue/live-items.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'
import { uploadName } from '../transfers/upload-name.ts'
import { directionOf } from '../watch/watches.ts'
import { CLIENT_VERSION } from '../version.ts'
import { overallState } from './overall.ts'

/** What a server last said to this client. */
export interface LinkState {
  readonly isConnected: boolean
  readonly reason: string
  /** The code of a refusal, else 0. */
  readonly refusal: number
}

export interface ViewDeps {
  readonly queue: Pick<Queue, 'list' | 'counts' | 'conflicts' | 'sending'>
  readonly live: Pick<LiveItems, 'figuresOf'>
  readonly profiles: Pick<Profiles, 'list'>
  readonly preferences: () => Promise<Preferences>
  readonly linkOf: (who: { readonly server: string; readonly account: string }) => LinkState | undefined
  /** Why a watched folder of a server cannot be looked through; '' when it can. */
  readonly faultOf: (watch: Pick<Watch, 'root'>) => string
  /** Whether an account may have no filters of its own. */
  readonly isLocked: (who: { readonly server: string; readonly account: string }) => boolean
  readonly canNotify: boolean
  readonly autostart: Pick<Autostart, 'isOn'>
  readonly clock: Clock
  readonly signIn: { readonly view: LocalClientView['signIn'] }
}

/** More than a page shows at once; the file behind it keeps 2,000. */
const SHOWN_ITEMS = 500
/** Of one transfer; `godwit-client queue` lists them all. */
const SHOWN_FAILURES = 50

/** Everything that the page of the client shows. */
export async function localView(deps: ViewDeps): Promise<LocalClientView> {
  const { clock, linkOf } = deps
  const [known, preferences, autostart] = await Promise.all([
    deps.profiles.list(),
    deps.preferences(),
    deps.autostart.isOn(),
  ])
  const accounts = known.map((who) => ({
    ...{ ...who, isLocked: deps.isLocked(who) },
    ...(linkOf(who) ?? { isConnected: false, reason: '', refusal: 0 }),
  }))
  const items = deps.queue.list(SHOWN_ITEMS).map((item) => itemView(deps, item))
  const isPaused = preferences.pausedUntil > clock.now()
  return {
    ...{ version: CLIENT_VERSION, device: hostname(), accounts, items, autostart },
    overall: overallState({ counts: deps.queue.counts(), accounts, isPaused }),
    rateMbps: preferences.rateMbps,
    rateUnit: preferences.rateUnit,
    notifications: deps.canNotify ? preferences.notifications : null,
    pausedUntil: isPaused ? Math.ceil(preferences.pausedUntil / 1000) : 0,
    watches: preferences.watches.map((watch) => {
      const { root, target, server, account } = watch
      return { root, target, server, account, direction: directionOf(watch), error: deps.faultOf(watch) }
    }),
    downloads: downloadFolder(preferences),
    allowed: preferences.allowed,
    exclude: preferences.exclude.join('; '),
    sending: deps.queue.sending.view(),
    signIn: deps.signIn.view,
  }
}

function itemView({ queue, live }: Pick<ViewDeps, 'queue' | 'live'>, item: QueueItem): LocalItemView {
  const figures = live.figuresOf(item.id)
  const { id, server, account, direction, paths, target, state, error, files } = item
  const name = direction === 'upload' ? uploadName(paths) : paths.join(', ')
  return {
    ...{ id, server, account, direction, name, target, state, error, files },
    failures: item.failures.slice(0, SHOWN_FAILURES).map(({ path, code }) => ({ path, code })),
    conflicts: state === 'asking' ? queue.conflicts.undecided(id) : null,
    bytes: figures?.bytes ?? item.bytes,
    bytesDone: figures?.bytesDone ?? item.bytesDone,
    bytesPerSecond: figures?.bytesPerSecond ?? 0,
    path: figures?.path ?? '',
    bottleneck: figures?.bottleneck ?? '',
    finishedAt: Math.floor(item.finishedAt / 1000),
  }
}
