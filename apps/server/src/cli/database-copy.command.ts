import { connectDatabase } from '../kernel/db/index.ts'
import { copyDatabase, endCopy } from '../oversight/maintenance/index.ts'
import { misused } from './arguments.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

export const databaseCopyCommand: Command = {
  name: 'db copy',
  summary: 'Copy the database to MySQL or MariaDB; goes on where it stopped, compares counts and hashes at the end',
  positionals: ['TARGET-URL'],
  options: {},
  examples: [
    'godwit db copy mysql://godwit:secret@db:3306/godwit',
    'godwit db copy mysql://root@127.0.0.1/godwit --json',
  ],
  run: async (call) =>
    withDatabase(call, async (source) => {
      const url = call.positionals[0] ?? ''
      if (!/^(?:mysql|sqlite):/.test(url) || !URL.canParse(url))
        return misused(call, 'the target is given as mysql://user:password@host:port/name')
      const target = connectDatabase(url)
      try {
        const tables = await copyDatabase(source, target, { signal: call.io.signal })
        const isEqual = tables.every(({ equal }) => equal)
        if (isEqual) await endCopy(target)
        const lines = tables.map(
          ({ table, rows, equal }) =>
            `${table.padEnd(24)}  ${String(rows).padStart(10)} rows  ${equal ? 'equal' : 'DIFFERENT'}`,
        )
        const verdict = isEqual
          ? 'Every table is equal. Set GODWIT_DATABASE_URL to the target and restart.'
          : 'The copies differ: stop the server and copy again.'
        const shown = tables.map(({ table, rows, equal }) => ({ table, rows, equal }))
        call.show({ tables: shown, equal: isEqual }, [...lines, verdict].join('\n'))
        return isEqual ? EXIT.ok : EXIT.problems
      } finally {
        await target.close()
      }
    }),
}
