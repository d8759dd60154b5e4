import { lockDataFolder } from '../foundation/installation/index.ts'
import { databaseUrl } from '../kernel/config/index.ts'
import { connectDatabase } from '../kernel/db/index.ts'
import { restoreBackup } from '../oversight/maintenance/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Rebuild an installation from an archive of godwit backup; the target must be empty',
  positionals: ['FILE'],
  options: {},
  examples: ['godwit restore /backups/godwit-2026-11-20.tar --data /srv/godwit-new'],
  run: async (call) => {
    const { clock, random, signal } = call.io
    const { data, 'storage.reserveBytes': reserveBytes } = call.loaded.config
    const lock = lockDataFolder(data, clock)
    const database = connectDatabase(databaseUrl(call.loaded.config))
    try {
      const deps = { database, data, reserveBytes, clock, random, signal }
      const result = await restoreBackup(deps, call.positionals[0] ?? '')
      call.show(
        result,
        [
          `Restored ${result.files} files and the database. Run godwit verify --all to compare every hash.`,
          ...(result.unfinished === 0
            ? []
            : [`Uploads that were not finished then and begin anew: ${result.unfinished}.`]),
        ].join('\n'),
      )
      return EXIT.ok
    } finally {
      await database.close()
      lock.release()
    }
  },
}
