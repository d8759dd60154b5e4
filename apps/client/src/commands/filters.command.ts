import { readPreferences, without, writePreferences } from '../profiles/preferences.ts'
import { isGlob } from '../server-link/upload-filter.ts'
import { type Context, UsageError } from './context.ts'
import { EXIT } from './transfer-output.ts'

/** godwit-client filters [add | remove PATTERN]: what no upload of this computer takes along. */
export async function filters({ words, output, environment }: Context): Promise<number> {
  const [action, pattern, ...rest] = words
  if (rest.length > 0) throw new UsageError('filters takes an action and one pattern')
  if (action !== undefined) {
    if (pattern === undefined) throw new UsageError(`filters ${action} needs a pattern`)
    if (action === 'add') {
      if (!isGlob(pattern) || pattern.includes(';')) throw new UsageError(`not a pattern: ${pattern}`)
      await writePreferences(environment, ({ exclude }) => ({ exclude: [...new Set([...exclude, pattern])] }))
    } else if (action === 'remove') {
      await writePreferences(environment, ({ exclude }) => ({ exclude: without(exclude, pattern) }))
    } else throw new UsageError(`unknown: filters ${action}`)
  }
  for (const each of (await readPreferences(environment)).exclude) output.emit('filter', { pattern: each }, each)
  return EXIT.done
}
