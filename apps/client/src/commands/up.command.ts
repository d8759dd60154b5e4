import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { runUpload } from '../transfers/upload.ts'
import { type Context, placeOf, signedIn, UsageError } from './context.ts'
import { queueUpload } from './queue.command.ts'
import { partsOf, reportEnd } from './transfer-output.ts'

/** godwit-client up PATH... FOLDER */
export async function up(context: Context): Promise<number> {
  const { words, options } = context
  const folder = words.at(-1)
  const roots = words.slice(0, -1).map((path) => resolve(path))
  if (folder === undefined || roots.length === 0) throw new UsageError('up needs at least one path and a folder')
  const user = await signedIn(context)
  const upload = { roots, folder, ...(await placeOf(context, user.api)) }
  if (options.later) return queueUpload(context, upload)
  const parts = partsOf(context, user)
  const startedAt = systemClock.monotonic()
  const result = await runUpload(parts, upload)
  return reportEnd(context.output, result, systemClock.monotonic() - startedAt)
}
