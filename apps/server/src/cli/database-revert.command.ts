import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { lockDataFolder } from '../foundation/installation/index.ts'
import { databaseUrl } from '../kernel/config/index.ts'
import { connectDatabase, earlierDatabaseOf } from '../kernel/db/index.ts'
import { replaceWith } from '../kernel/folders.ts'
import { misused, missing } from './arguments.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

export const databaseRevertCommand: Command = {
  name: 'db revert',
  summary:
    'Put back the SQLite database as it was before the last upgrade, for the version of before; the server must be stopped',
  positionals: [],
  options: {},
  examples: ['godwit db revert', 'godwit db revert --data /srv/godwit --json'],
  run: async (call) => {
    const { data } = call.loaded.config
    const url = databaseUrl(call.loaded.config)
    if (!url.startsWith('sqlite:'))
      return misused(call, 'this is for SQLite; of a database server, restore the backup of before the upgrade')
    const file = url.slice('sqlite:'.length)
    const earlier = earlierDatabaseOf(file)
    if (!fs.existsSync(earlier)) return missing(call, `There is no ${path.resolve(earlier)}: nothing was upgraded.`)
    const lock = lockDataFolder(data, call.io.clock)
    try {
      const left = `${file}.upgraded`
      // Missing where this was broken off between the two moves.
      if (fs.existsSync(file)) {
        await intoOneFile(url)
        replaceWith(file, left)
      }
      replaceWith(earlier, file)
      const at = path.resolve(left)
      call.show({ upgraded: at }, `The database is as it was before the upgrade. The upgraded one is ${at}.`)
      return EXIT.ok
    } finally {
      lock.release()
    }
  },
}

/** What SQLite keeps beside its file must not meet another file of that name. */
async function intoOneFile(url: string): Promise<void> {
  const database = connectDatabase(url)
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db)
  } finally {
    await database.close()
  }
}
