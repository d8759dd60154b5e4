import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { runDownload } from '../transfers/download.ts'
import { type Context, placeOf, signedIn, UsageError } from './context.ts'
import { inDefaultPlace } from './default-place.ts'
import { planDownload } from './dry-run.ts'
import { queueDownload } from './queue.command.ts'
import { earlyLine, partsOf, reportEnd } from './transfer-output.ts'

/** godwit-client down PATH... FOLDER */
export async function down(context: Context): Promise<number> {
  const { words, options } = context
  const last = words.at(-1)
  const paths = words.slice(0, -1)
  if (last === undefined || paths.length === 0) throw new UsageError('down needs at least one path and a local folder')
  if (options.ask && !options.later) throw new UsageError('--ask needs --later: the page of the client asks')
  const user = await signedIn(context)
  const wanted = { paths, root: resolve(last) }
  if (options.later || options.dryRun) {
    const download = { ...wanted, ...(await placeOf(context, user.api)) }
    return options.later ? queueDownload(context, download) : planDownload(context.output, user.api, download)
  }
  using early = earlyLine(context, user)
  const parts = partsOf(context, user, early)
  const startedAt = systemClock.monotonic()
  const result = await inDefaultPlace(context, user, (place, confirm) =>
    runDownload({ ...parts, confirm }, { ...wanted, ...place }),
  )
  return reportEnd(context.output, result, systemClock.monotonic() - startedAt)
}
