import { databaseUrl } from '../kernel/config/index.ts'
import { connectDatabase, NewerSchema, schemaState } from '../kernel/db/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { requireInstalled } from './installation.ts'

export const databaseStatusCommand: Command = {
  name: 'db status',
  summary: 'Say what the next start would change in the structure of the database, and change nothing',
  positionals: [],
  options: {},
  examples: ['godwit db status', 'godwit db status --json'],
  run: async (call) => {
    requireInstalled(call)
    const database = connectDatabase(databaseUrl(call.loaded.config))
    try {
      const state = await schemaState(database, MIGRATIONS)
      if (state.unknown.length > 0) throw new NewerSchema(state)
      const { pending } = state
      const steps = pending.map((name) => `  ${name}`)
      const text =
        pending.length === 0
          ? 'The database is up to date with this version.'
          : ['The next start makes these steps; SQLite as it is now is kept for godwit db revert:', ...steps].join('\n')
      call.show({ pending }, text)
      return pending.length === 0 ? EXIT.ok : EXIT.problems
    } finally {
      await database.close()
    }
  },
}
