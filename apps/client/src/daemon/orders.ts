import type { ClientCommand, ClientOutcome, ClientPick } from '@godwit/contract'
import type { Profile } from '../profiles/profile.ts'
import { downloadFolder, type Preferences, resolveAllowed, type Watch } from '../profiles/preferences.ts'
import type { Queue } from '../queue/queue.ts'
import { realFolder, WatchLoopError } from '../watch/watches.ts'
import type { Dialogs } from './dialogs.ts'
import type { OrderTexts } from './order-texts.ts'

export interface OrderDeps {
  readonly queue: Pick<Queue, 'add'>
  readonly watch: (watch: Watch) => Promise<void>
  readonly preferences: () => Promise<Preferences>
  /** Undefined where nobody can be asked. */
  readonly dialogs: Dialogs | undefined
  readonly texts: OrderTexts
}

export type Order = Extract<ClientCommand, { readonly name: 'upload' | 'download' | 'sync' }>
type SyncOrder = Extract<Order, { readonly name: 'sync' }>
type Who = Omit<Profile, 'token'>

/** Takes transfers that pages hand over, and folders that are to be kept in sync. */
export interface Orders {
  take(who: Who, order: Order): Promise<ClientOutcome>
}

export function createOrders(deps: OrderDeps): Orders {
  const { queue, preferences } = deps
  const ask = createAsking(deps)

  function upload(who: Who, order: Extract<Order, { name: 'upload' }>, paths: readonly string[]): ClientOutcome {
    const { spaceId, groupId, folder: target } = order
    const id = queue.add({ ...who, direction: 'upload', spaceId, groupId, paths, target, asks: true })
    return id === undefined ? 'refused' : 'queued'
  }

  return {
    async take(who, order) {
      if (order.name === 'download') {
        const { spaceId, groupId, paths } = order
        const target = downloadFolder(await preferences())
        const id = queue.add({ ...who, direction: 'download', spaceId, groupId, paths, target, asks: true })
        return id === undefined ? 'refused' : 'queued'
      }
      if (order.name === 'sync') {
        if (order.path !== '')
          return sync(deps, who, order, await allowedPaths(await syncableBy(deps, order), [order.path]))
        return ask(who, { ...order, pick: 'folder' }, (paths) => sync(deps, who, order, paths))
      }
      if (order.paths.length === 0) return ask(who, order, (paths) => upload(who, order, paths))
      const allowed = await allowedPaths(await preferences(), order.paths)
      return typeof allowed === 'string' ? allowed : upload(who, order, allowed)
    },
  }
}

/** One dialog at a time: a page cannot fill the screen with them. */
function createAsking({ dialogs, texts }: Pick<OrderDeps, 'dialogs' | 'texts'>) {
  let isAsking = false
  return (
    { server }: Who,
    { folder, pick }: { readonly folder: string; readonly pick: ClientPick },
    take: (paths: readonly string[]) => ClientOutcome | Promise<ClientOutcome>,
  ): ClientOutcome => {
    if (dialogs === undefined) return 'cannot-ask'
    if (isAsking) return 'asking'
    isAsking = true
    void dialogs
      .choose(pick, `${new URL(server).host}: ${folder}`)
      .then(async (paths) => {
        const outcome = paths.length === 0 ? 'queued' : await take(paths)
        // The page has been answered already.
        if (outcome === 'refused' || outcome === 'not-found' || outcome === 'loop') await dialogs.show(texts[outcome])
      })
      // Without an answer nothing is sent, as if the person had declined.
      .catch(() => undefined)
      .finally(() => (isAsking = false))
    return 'asking'
  }
}

/** @returns the paths without links, or why one of them may not be taken */
async function allowedPaths(
  preferences: Preferences,
  paths: readonly string[],
): Promise<readonly string[] | 'not-allowed' | 'not-found'> {
  const resolved: string[] = []
  for (const path of paths) {
    const found = await resolveAllowed(preferences, path)
    if (typeof found === 'string') return found
    resolved.push(found.path)
  }
  return resolved
}

/** A page may write where its downloads go. Whatever else it wants of a folder, somebody has to have allowed it. */
async function syncableBy(
  { preferences }: OrderDeps,
  { direction }: Pick<SyncOrder, 'direction'>,
): Promise<Preferences> {
  const given = await preferences()
  return direction === 'download' ? { ...given, allowed: [downloadFolder(given)] } : given
}

async function sync(
  { watch }: OrderDeps,
  { server, account }: Who,
  order: SyncOrder,
  paths: readonly string[] | 'not-allowed' | 'not-found',
): Promise<ClientOutcome> {
  if (typeof paths === 'string') return paths
  const root = await realFolder(paths[0] ?? '')
  if (root === undefined) return 'not-found'
  const { spaceId, groupId, folder: target, direction, restMs } = order
  try {
    await watch({ ...{ root, server, account, spaceId, groupId, target, direction }, sync: { restMs } })
    return 'queued'
  } catch (thrown) {
    if (thrown instanceof WatchLoopError) return 'loop'
    throw thrown
  }
}
