import { isAbsolute } from 'node:path'
import type { Clock } from '@godwit/base'
import type { LocalClientAction } from '@godwit/contract'
import { ApiError, isTemporary } from '@godwit/sdk'
import type { PageSignIn } from '../daemon/sign-in.ts'
import type { Autostart } from '../desktop/autostart.ts'
import { writePreferences } from '../profiles/preferences.ts'
import type { Profile, Profiles } from '../profiles/profile.ts'
import { cancelItem } from '../queue/cancel-item.ts'
import type { LiveItems } from '../queue/live-items.ts'
import type { Queue } from '../queue/queue.ts'
import type { Rests } from '../queue/rests.ts'
import type { Api, PlaceIds } from '../server-link/api.ts'
import { globsIn, isGlob } from '../server-link/upload-filter.ts'
import type { Bandwidth } from '../transfers/bandwidth.ts'
import { addWatch, realFolder, removeWatch, WatchLoopError } from '../watch/watches.ts'
import { PageError } from './page-error.ts'
import { pauseEnd } from './until.ts'

export interface ActionDeps {
  readonly environment: NodeJS.ProcessEnv
  readonly queue: Queue
  readonly live: LiveItems
  readonly rests: Pick<Rests, 'forget' | 'forgetAll'>
  readonly profiles: Profiles
  readonly bandwidth: Pick<Bandwidth, 'set'>
  readonly autostart: Pick<Autostart, 'set'>
  readonly clock: Clock
  readonly connect: (profile: Profile) => Api
  readonly signIn: Pick<PageSignIn, 'begin' | 'stop'>
}

type ItemAction = Exclude<Extract<LocalClientAction, { readonly id: number }>, { readonly action: 'decide' }>
type FolderAction = Extract<LocalClientAction, { readonly folder: string }>
type SendAction = Extract<LocalClientAction, { readonly action: 'send' }>
type WatchAction = Extract<LocalClientAction, { readonly action: 'watch' }>

/** Does what the page of the client asks for. @throws PageError */
export async function act(deps: ActionDeps, action: LocalClientAction): Promise<void> {
  const { environment, queue, live, clock } = deps
  switch (action.action) {
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'retry':
    case 'forget':
      await onItem(deps, action)
      break
    case 'decide':
      if (!queue.decide(action.id, action.choice, action)) throw new PageError('LOCAL_ITEM_STATE')
      break
    case 'pause-all':
      await writePreferences(environment, { pausedUntil: pauseEnd(action.pause, clock.now()) })
      break
    case 'resume-all':
      await writePreferences(environment, { pausedUntil: 0 })
      deps.rests.forgetAll()
      break
    case 'rate':
      await writePreferences(environment, { rateMbps: action.rateMbps })
      await deps.bandwidth.set(action.rateMbps)
      break
    case 'rate-unit':
      await writePreferences(environment, { rateUnit: action.unit })
      break
    case 'watch':
      await watch(deps, action)
      break
    case 'send':
      await send(deps, action)
      break
    case 'send-stop':
      queue.sending.clear()
      break
    case 'unwatch':
      if (!(await removeWatch(environment, queue, action.root))) throw new PageError('PATH_NOT_FOUND')
      break
    case 'downloads':
    case 'allow':
    case 'forbid':
      await onFolder(environment, action)
      break
    case 'exclude': {
      const exclude = [...new Set(globsIn(action.patterns))]
      if (!exclude.every(isGlob)) throw new PageError('PARAMETER_INVALID')
      await writePreferences(environment, { exclude })
      break
    }
    case 'autostart':
      await deps.autostart.set(action.isOn)
      break
    case 'notifications':
      await writePreferences(environment, { notifications: action.isOn })
      break
    case 'sign-in':
      await deps.signIn.begin(action.server)
      break
    case 'sign-in-stop':
      deps.signIn.stop()
  }
  live.wake()
}

async function onItem(deps: ActionDeps, { action, id }: ItemAction): Promise<void> {
  if (!(await doOnItem(deps, { action, id }))) throw new PageError('LOCAL_ITEM_STATE')
  const item = deps.queue.get(id)
  // Whoever lets one go on knows better than the last attempt whether its server is there.
  if (item !== undefined && (action === 'resume' || action === 'retry')) deps.rests.forget(item)
}

/** @returns false when the item is in no state for it */
async function doOnItem(deps: ActionDeps, { action, id }: ItemAction): Promise<boolean> {
  const { queue, live } = deps
  switch (action) {
    case 'pause': {
      const isPaused = queue.pause(id)
      if (isPaused) live.stop(id)
      return isPaused
    }
    case 'resume':
      return queue.resume(id)
    case 'cancel':
      return cancel(deps, id)
    case 'retry':
      return queue.retry(id)
    case 'forget':
      return queue.forget(id)
  }
}

async function cancel(deps: ActionDeps, id: number): Promise<boolean> {
  const item = deps.queue.get(id)
  if (item === undefined || item.finishedAt > 0) return false
  try {
    if (!(await cancelItem(deps, item))) throw new PageError('LOCAL_SIGNED_OUT')
  } catch (thrown) {
    if (thrown instanceof PageError) throw thrown
    throw new PageError('LOCAL_SERVER_AWAY', { cause: thrown })
  }
  return true
}

async function watch(deps: ActionDeps, action: WatchAction): Promise<void> {
  const { server, account, direction, target } = action
  const root = isAbsolute(action.root) ? await realFolder(action.root) : undefined
  if (root === undefined) throw new PageError('PATH_NOT_FOUND')
  const place = await placeFor(deps, action)
  const added = { root, server, account, direction, target, ...place }
  await addWatch(deps.environment, deps.queue, added).catch((thrown: unknown) => {
    throw thrown instanceof WatchLoopError ? new PageError('LOCAL_WATCH_LOOP', { cause: thrown }) : thrown
  })
}

async function send(deps: ActionDeps, action: SendAction): Promise<void> {
  const { server, account, target } = action
  const place = await placeFor(deps, action)
  if (!deps.queue.send({ server, account, target, ...place })) throw new PageError('LOCAL_ITEM_STATE')
}

/** Where the account works. @throws PageError without the account or the folder */
async function placeFor(
  { profiles, connect }: ActionDeps,
  { server, account, target }: Pick<SendAction, 'server' | 'account' | 'target'>,
): Promise<PlaceIds> {
  const profile = await profiles.read({ server, account })
  if (profile === undefined) throw new PageError('LOCAL_SIGNED_OUT')
  const api = connect(profile)
  try {
    const place = { spaceId: await api.defaultSpace(), groupId: 0 }
    await api.list(place, target, null)
    return place
  } catch (thrown) {
    const isRefused = thrown instanceof ApiError && !isTemporary(thrown)
    throw new PageError(isRefused ? 'PATH_NOT_FOUND' : 'LOCAL_SERVER_AWAY', { cause: thrown })
  }
}

async function onFolder(environment: NodeJS.ProcessEnv, { action, folder }: FolderAction): Promise<void> {
  if (action === 'forbid') {
    await writePreferences(environment, ({ allowed }) => ({ allowed: allowed.filter((other) => other !== folder) }))
    return
  }
  if (!isAbsolute(folder)) throw new PageError('PATH_NOT_FOUND')
  // The folder of downloads is made with the first one.
  if (action === 'downloads') {
    await writePreferences(environment, { downloads: folder })
    return
  }
  const real = await realFolder(folder)
  if (real === undefined) throw new PageError('PATH_NOT_FOUND')
  await writePreferences(environment, ({ allowed }) => ({ allowed: [...new Set([...allowed, real])] }))
}
