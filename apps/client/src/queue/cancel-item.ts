import type { Profile, Profiles } from '../profiles/profile.ts'
import type { Api } from '../server-link/api.ts'
import type { LiveItems } from './live-items.ts'
import type { Queue, QueueItem } from './queue.ts'

export interface CancelDeps {
  readonly queue: Pick<Queue, 'get' | 'cancelWaiting'>
  /** In the program that works on it; another one leaves that to its next look. */
  readonly live?: Pick<LiveItems, 'stop'>
  readonly profiles: Pick<Profiles, 'read'>
  readonly connect: (profile: Profile) => Pick<Api, 'control'>
}

/**
 * The server ends what runs or was interrupted; what it knows nothing of is taken off here.
 * @returns false when nobody is signed in there any more
 * @throws ApiError
 */
export async function cancelItem(deps: CancelDeps, item: QueueItem): Promise<boolean> {
  const { queue, live, profiles, connect } = deps
  if (item.transferId === '' && queue.cancelWaiting(item.id)) {
    live?.stop(item.id)
    return true
  }
  // The server may have begun it a moment ago.
  const transferId = queue.get(item.id)?.transferId ?? ''
  if (transferId !== '') {
    const profile = await profiles.read(item)
    if (profile === undefined) return false
    await connect(profile).control(transferId, 'cancel')
  }
  queue.cancelWaiting(item.id)
  return true
}
