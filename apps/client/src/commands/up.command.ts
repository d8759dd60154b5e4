import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { readPreferences } from '../profiles/preferences.ts'
import { runUpload, type UploadParts } from '../transfers/upload.ts'
import { type Context, placeOf, signedIn, UsageError } from './context.ts'
import { inDefaultPlace } from './default-place.ts'
import { planUpload } from './dry-run.ts'
import { queueUpload } from './queue.command.ts'
import { earlyLine, partsOf, reportEnd } from './transfer-output.ts'

/** godwit-client up PATH... FOLDER */
export async function up(context: Context): Promise<number> {
  const { words, options } = context
  const folder = words.at(-1)
  const roots = words.slice(0, -1).map((path) => resolve(path))
  if (folder === undefined || roots.length === 0) throw new UsageError('up needs at least one path and a folder')
  if (options.ask && !options.later) throw new UsageError('--ask needs --later: the page of the client asks')
  const user = await signedIn(context)
  const wanted = { roots, folder }
  const filters = await ownFilters(context)
  if (options.later || options.dryRun) {
    const upload = { ...wanted, ...(await placeOf(context, user.api)) }
    if (options.later) return queueUpload(context, upload)
    return planUpload(context.output, { ...partsOf(context, user), ...filters }, upload)
  }
  using early = earlyLine(context, user)
  const parts = { ...partsOf(context, user, early), ...filters }
  const startedAt = systemClock.monotonic()
  const result = await inDefaultPlace(context, user, (place, confirm) =>
    runUpload({ ...parts, confirm }, { ...wanted, ...place }),
  )
  return reportEnd(context.output, result, systemClock.monotonic() - startedAt)
}

/** What this computer leaves out, and what happens where the account may leave out nothing of its own. */
async function ownFilters(context: Context): Promise<Pick<UploadParts, 'exclude' | 'onLocked'>> {
  const { environment, options, output } = context
  const { exclude } = await readPreferences(environment)
  return {
    exclude: [...exclude, ...options.exclude],
    onLocked() {
      // Whoever names a pattern now counts on it: better nothing is sent than what was to stay here.
      if (options.exclude.length > 0) throw new Error(LOCKED)
      output.emit('filters-locked', { exclude }, `${LOCKED}: those of godwit-client filters are not used`)
    },
  }
}

const LOCKED = 'this account may not have filters of its own'
