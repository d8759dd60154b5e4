import { connectDatabase } from '../kernel/db/index.ts'
import { copyDatabase, endCopy } from '../oversight/maintenance/index.ts'
import { misused, PASSWORD_OPTION, passwordIn, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

export const databaseCopyCommand: Command = {
  name: 'db copy',
  summary: 'Copy the database to MySQL or MariaDB; goes on where it stopped, compares counts and hashes at the end',
  positionals: ['TARGET-URL'],
  options: { 'password-file': PASSWORD_OPTION },
  examples: [
    'godwit db copy mysql://godwit@db:3306/godwit --password-file ./db.txt',
    'godwit db copy mysql://root@127.0.0.1/godwit --json',
  ],
  run: async (call) =>
    withDatabase(call, async (source) => {
      const url = targetOf(call)
      if (url === undefined)
        return misused(call, 'the target is mysql://user@host:port/name; its password comes by --password-file')
      const target = connectDatabase(url.href)
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

/** @returns undefined where it names no database, or its password, which the list of processes shows */
function targetOf(call: Invocation): URL | undefined {
  const [text = ''] = call.positionals
  if (!/^(?:mysql|sqlite):/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.password !== '') return undefined
  const file = textOf(call, 'password-file')
  if (file !== undefined) url.password = passwordIn(file)
  return url
}
