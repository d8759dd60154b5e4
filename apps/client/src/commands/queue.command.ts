import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { LOCAL_CHOICES, type LocalChoice } from '@godwit/contract'
import { clientPlaces } from '../profiles/places.ts'
import type { Profile } from '../profiles/profile.ts'
import { downloadFolder, readPreferences, without, writePreferences } from '../profiles/preferences.ts'
import { cancelItem } from '../queue/cancel-item.ts'
import { type NewItem, Queue, QUEUE_PRIORITIES, type QueueItem } from '../queue/queue.ts'
import { type Api, connectApi } from '../server-link/api.ts'
import type { Download } from '../transfers/download.ts'
import type { Upload } from '../transfers/upload.ts'
import { uploadName } from '../transfers/upload-name.ts'
import { type Context, requireFolder, signedIn, UsageError } from './context.ts'
import { EXIT } from './transfer-output.ts'

/** godwit-client up --later: the daemon sends it. */
export async function queueUpload(
  context: Context,
  { roots: paths, folder: target, ...place }: Upload,
): Promise<number> {
  return addItem(context, { ...place, direction: 'upload', paths, target })
}

/** godwit-client down --later: the daemon fetches it. */
export async function queueDownload(context: Context, { root: target, ...rest }: Download): Promise<number> {
  return addItem(context, { ...rest, direction: 'download', target })
}

async function addItem(context: Context, item: Omit<NewItem, 'server' | 'account' | 'asks'>): Promise<number> {
  refuseOptions(context.options)
  const { profile } = await signedIn(context)
  const { server, account } = profile
  using queue = openQueue(context)
  const id = queue.add({ server, account, ...item, asks: context.options.ask })
  if (id === undefined) throw new Error('the queue is full')
  const added = queue.get(id)
  if (added !== undefined) show(context, added)
  return EXIT.done
}

/** @throws UsageError for an option that the queue does not keep */
function refuseOptions({ dryRun, by, exclude }: Context['options']): void {
  if (dryRun) throw new UsageError('--dry-run and --later exclude each other')
  if (by !== undefined) throw new UsageError('--by is not kept for later: godwit-client deadline ID TIME, once it runs')
  if (exclude.length > 0) throw new UsageError('--exclude is not kept for later: godwit-client filters add PATTERN')
}

/** godwit-client queue [retry|pause|resume|cancel|forget N] [priority N low|normal|high] */
export async function queue(context: Context): Promise<number> {
  const [action, given, more, ...rest] = context.words
  if (rest.length > 0) throw new UsageError('too many words for queue')
  using items = openQueue(context)
  if (action === undefined) {
    for (const item of items.list()) show(context, item)
    return EXIT.done
  }
  const id = Number(given)
  if (given === undefined || !Number.isSafeInteger(id))
    throw new UsageError(`queue ${action} needs the number of a line`)
  if (action === 'priority') {
    const priority = QUEUE_PRIORITIES.find((known) => known === more)
    if (priority === undefined) throw new UsageError('a priority is low, normal or high')
    items.change(id, { priority })
  } else if (more !== undefined) throw new UsageError(`queue ${action} takes one number`)
  else if (action === 'retry') requireDone(items.retry(id), 'nothing of it has failed')
  else if (isChoice(action)) requireDone(items.decide(id, action, {}), 'it asks nothing')
  else if (action === 'cancel') await cancel(context, items, id)
  else if (action === 'pause') requireDone(items.pause(id), 'it is over')
  else if (action === 'resume') requireDone(items.resume(id), 'it is not paused')
  else if (action === 'forget') requireDone(items.forget(id), 'it is not over: cancel it first')
  else throw new UsageError(`unknown: queue ${action}`)
  const changed = items.get(id)
  if (changed !== undefined) show(context, changed)
  else if (action !== 'forget') throw new Error(`no line ${id} in the queue`)
  return EXIT.done
}

function isChoice(action: string): action is LocalChoice {
  return LOCAL_CHOICES.some((choice) => choice === action)
}

async function cancel({ profiles }: Context, items: Queue, id: number): Promise<void> {
  const item = items.get(id)
  if (item === undefined || item.finishedAt > 0) throw new Error(`no line ${id} that is not over`)
  const connect = (profile: Profile): Api => connectApi(profile, hostname())
  requireDone(await cancelItem({ queue: items, profiles, connect }, item), 'nobody is signed in there')
}

function requireDone(isDone: boolean, otherwise: string): void {
  if (!isDone) throw new Error(otherwise)
}

/** godwit-client folders: what pages may send from, and where their downloads go. */
export async function folders(context: Context): Promise<number> {
  const { words, output, environment } = context
  const [action, given, ...rest] = words
  if (rest.length > 0) throw new UsageError('folders takes an action and one folder')
  if (action !== undefined) {
    if (given === undefined) throw new UsageError(`folders ${action} needs a folder`)
    const folder = resolve(given)
    if (action === 'allow') {
      const added = await requireFolder(folder)
      await writePreferences(environment, ({ allowed }) => ({ allowed: [...new Set([...allowed, added])] }))
    } else if (action === 'forbid')
      await writePreferences(environment, ({ allowed }) => ({ allowed: without(allowed, folder) }))
    else if (action === 'downloads') await writePreferences(environment, { downloads: folder })
    else throw new UsageError(`unknown: folders ${action}`)
  }
  const now = await readPreferences(environment)
  const downloads = downloadFolder(now)
  output.emit('downloads', { folder: downloads }, `downloads of pages go to  ${downloads}`)
  for (const folder of now.allowed) output.emit('allowed', { folder }, `pages may send from      ${folder}`)
  return EXIT.done
}

function openQueue({ environment }: Context): Queue {
  return new Queue(clientPlaces(environment).state, () => systemClock.now())
}

function show({ output }: Context, item: QueueItem): void {
  output.emit(
    'queued',
    { ...item },
    describeItem(item),
    ...item.failures.map(({ path, code }) => `      ${path}: ${code}`),
  )
}

export function describeItem(item: QueueItem): string {
  const { id, direction, state, priority, bytes, bytesDone, error, paths, target } = item
  const name = direction === 'upload' ? uploadName(paths) : paths.join(', ')
  const share = bytes === 0 ? '' : ` ${Math.floor((bytesDone / bytes) * 100)} %`
  const grade = priority === 'normal' ? '' : `, ${priority} priority`
  const why = error === '' ? '' : `, ${error}`
  return `${String(id).padStart(5)}  ${direction.padEnd(8)}  ${state}${share}${grade}${why}  ${name} -> ${target}`
}
