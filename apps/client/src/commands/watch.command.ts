import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { clientPlaces } from '../profiles/places.ts'
import { readPreferences } from '../profiles/preferences.ts'
import { Queue } from '../queue/queue.ts'
import { addWatch, removeWatch } from '../watch/watches.ts'
import { type Context, placeOf, requireFolder, signedIn, UsageError } from './context.ts'
import { EXIT } from './transfer-output.ts'

/** godwit-client watch [LOCAL FOLDER | stop LOCAL] */
export async function watch(context: Context): Promise<number> {
  const { words, output, environment } = context
  const [first, second, ...more] = words
  if (more.length > 0) throw new UsageError('watch takes a local folder and a folder of the server')
  if (first === 'stop') await stopWatch(environment, second)
  else if (first !== undefined) await startWatch(context, first, second)
  for (const each of (await readPreferences(environment)).watches)
    output.emit('watch', { ...each }, `${each.root} -> ${each.target}  (${each.account} at ${each.server})`)
  return EXIT.done
}

async function startWatch(context: Context, local: string, target: string | undefined): Promise<void> {
  const { environment } = context
  if (target === undefined) throw new UsageError('watch needs a local folder and a folder of the server')
  const root = await requireFolder(local)
  const { profile, api } = await signedIn(context)
  const { server, account } = profile
  const place = await placeOf(context, api)
  // A folder that is not there is found out now, not in the night.
  await api.list(place, target, null)
  await addWatch(environment, { root, server, account, ...place, target })
}

async function stopWatch(environment: NodeJS.ProcessEnv, local: string | undefined): Promise<void> {
  if (local === undefined) throw new UsageError('watch stop needs a local folder')
  const root = resolve(local)
  using queue = new Queue(clientPlaces(environment).state, () => systemClock.now())
  if (!(await removeWatch(environment, queue, root))) throw new Error(`${root} is not watched`)
}
