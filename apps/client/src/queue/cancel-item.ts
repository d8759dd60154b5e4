import type { Profile, Profiles } from '../profiles/profile.ts'
import type { Api } from '../server-link/api.ts'
import type { Queue, QueueItem } from './queue.ts'

export interface CancelDeps {
  readonly queue: Pick<Queue, 'cancelWaiting'>
  readonly profiles: Pick<Profiles, 'read'>
  readonly connect: (profile: Profile) => Pick<Api, 'control'>
}

/**
 * The server ends what runs or was interrupted; what nobody has begun is taken off here.
 * @returns false when nobody is signed in there any more
 * @throws ApiError
 */
export async function cancelItem({ queue, profiles, connect }: CancelDeps, item: QueueItem): Promise<boolean> {
  if (item.transferId !== '') {
    const profile = await profiles.read(item)
    if (profile === undefined) return false
    await connect(profile).control(item.transferId, 'cancel')
  }
  queue.cancelWaiting(item.id)
  return true
}
