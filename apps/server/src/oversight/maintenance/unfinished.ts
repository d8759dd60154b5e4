import { Refused } from '../../foundation/installation/index.ts'
import type { Database } from '../../kernel/db/index.ts'

/** Facts of a database that is being filled. A server that worked with it would take what is missing for removed. */
export const COPY_MARK = 'db-copy:'
export const RESTORE_MARK = 'restore:'
/** Of a copy in which every table is equal; it may go on all the same. */
export const COPIED = 'copied'

const CURES: Readonly<Record<string, string>> = {
  [COPY_MARK]:
    'A copy into this database did not come to its end, so that rows are missing. Run godwit db copy again until every table is equal, or name the database that was in use before.',
  [RESTORE_MARK]:
    'A restore into this database was broken off, so that files are missing. Remove the database and the files of its storages, and run godwit restore again.',
}

/** @throws Refused for a database that a copy or a restore began to fill and did not finish */
export async function requireWholeDatabase({ db }: Pick<Database, 'db'>): Promise<void> {
  const marks = db.selectFrom('facts').select(['name', 'value']).where('name', 'in', Object.keys(CURES))
  // Without tables nothing was begun; a database that does not answer says so to whoever asks next.
  const found = await marks.execute().catch(() => [])
  const unfinished = found.find(({ value }) => value !== COPIED)
  if (unfinished !== undefined) throw new Refused(CURES[unfinished.name])
}
