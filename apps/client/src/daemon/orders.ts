import type { ClientCommand, ClientOutcome } from '@godwit/contract'
import type { Profile } from '../profiles/profile.ts'
import { downloadFolder, type Preferences, resolveAllowed } from '../profiles/preferences.ts'
import type { Queue } from '../queue/queue.ts'
import type { Dialogs } from './dialogs.ts'

export interface OrderDeps {
  readonly queue: Pick<Queue, 'add'>
  readonly preferences: () => Promise<Preferences>
  /** Undefined where nobody can be asked. */
  readonly dialogs: Dialogs | undefined
}

export type Order = Extract<ClientCommand, { readonly name: 'upload' | 'download' }>
type Who = Omit<Profile, 'token'>

/** Takes transfers that pages hand over. */
export interface Orders {
  take(who: Who, order: Order): Promise<ClientOutcome>
}

export function createOrders({ queue, preferences, dialogs }: OrderDeps): Orders {
  /** One at a time: a page cannot fill the screen with them. */
  let isAsking = false

  function upload(who: Who, order: Extract<Order, { name: 'upload' }>, paths: readonly string[]): ClientOutcome {
    const { spaceId, groupId, folder: target } = order
    const id = queue.add({ ...who, direction: 'upload', spaceId, groupId, paths, target, asks: true })
    return id === undefined ? 'refused' : 'queued'
  }

  function ask(who: Who, order: Extract<Order, { name: 'upload' }>): ClientOutcome {
    if (dialogs === undefined) return 'cannot-ask'
    if (isAsking) return 'asking'
    isAsking = true
    const title = `${new URL(who.server).host}: ${order.folder}`
    void dialogs
      .choose(order.pick, title)
      .then((paths) => (paths.length === 0 ? undefined : upload(who, order, paths)))
      // Without an answer nothing is sent, as if the person had declined.
      .catch(() => undefined)
      .finally(() => (isAsking = false))
    return 'asking'
  }

  return {
    async take(who, order) {
      if (order.name === 'download') {
        const { spaceId, groupId, paths } = order
        const target = downloadFolder(await preferences())
        const id = queue.add({ ...who, direction: 'download', spaceId, groupId, paths, target, asks: true })
        return id === undefined ? 'refused' : 'queued'
      }
      if (order.paths.length === 0) return ask(who, order)
      const resolved: string[] = []
      for (const path of order.paths) {
        const found = await resolveAllowed(await preferences(), path)
        if (typeof found === 'string') return found
        resolved.push(found.path)
      }
      return upload(who, order, resolved)
    },
  }
}
