import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import type { SyncDirection } from '@godwit/contract'
import { clientPlaces } from '../profiles/places.ts'
import { readPreferences, type Watch } from '../profiles/preferences.ts'
import { Queue } from '../queue/queue.ts'
import { addWatch, directionOf, removeWatch } from '../watch/watches.ts'
import { type Context, placeOf, requireFolder, signedIn, UsageError } from './context.ts'
import { EXIT } from './transfer-output.ts'

/** godwit-client watch [LOCAL FOLDER | down FOLDER LOCAL | stop LOCAL] */
export async function watch(context: Context): Promise<number> {
  const { words, output, environment } = context
  const isDown = words[0] === 'down'
  const [first, second, ...more] = isDown ? words.slice(1) : words
  if (more.length > 0) throw new UsageError('watch takes a local folder and a folder of the server')
  if (isDown) await startWatch(context, 'download', { local: second, target: first })
  else if (first === 'stop') await stopWatch(environment, second)
  else if (first !== undefined) await startWatch(context, 'upload', { local: first, target: second })
  for (const each of (await readPreferences(environment)).watches)
    output.emit('watch', { ...each, direction: directionOf(each) }, lineOf(each))
  return EXIT.done
}

function lineOf(watch: Watch): string {
  const { root, target, account, server } = watch
  const [from, to] = directionOf(watch) === 'upload' ? [root, target] : [target, root]
  return `${from} -> ${to}  (${account} at ${server})`
}

async function startWatch(
  context: Context,
  direction: SyncDirection,
  { local, target }: { readonly local: string | undefined; readonly target: string | undefined },
): Promise<void> {
  const { environment } = context
  if (local === undefined || target === undefined)
    throw new UsageError('watch needs a local folder and a folder of the server')
  const root = await requireFolder(local)
  const { profile, api } = await signedIn(context)
  const { server, account } = profile
  const place = await placeOf(context, api)
  // A folder that is not there is found out now, not in the night.
  await api.list(place, target, null)
  using queue = openQueue(environment)
  await addWatch(environment, queue, { root, server, account, ...place, direction, target })
}

async function stopWatch(environment: NodeJS.ProcessEnv, local: string | undefined): Promise<void> {
  if (local === undefined) throw new UsageError('watch stop needs a local folder')
  const root = resolve(local)
  using queue = openQueue(environment)
  if (!(await removeWatch(environment, queue, root))) throw new Error(`${root} is not watched`)
}

function openQueue(environment: NodeJS.ProcessEnv): Queue {
  return new Queue(clientPlaces(environment).state, () => systemClock.now())
}
