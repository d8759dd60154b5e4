import { writeBackup } from '../oversight/maintenance/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withMaintenance } from './installation.ts'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write database and files into one tar archive; the server may run meanwhile',
  positionals: ['FILE'],
  options: { force: { type: 'boolean', summary: 'Replace an archive that exists' } },
  examples: ['godwit backup /backups/godwit-2026-11-20.tar'],
  run: async (call) =>
    withMaintenance(call, async (deps) => {
      const target = call.positionals[0] ?? ''
      const { leftOut, ...result } = await writeBackup(deps, target, { force: call.options['force'] === true })
      call.show(
        { file: target, ...result, leftOut },
        [
          `Wrote ${result.entries} entries, ${result.bytes} bytes, to ${target}.`,
          ...result.skipped.map((key) => `Changed while read, or not to be read; left out: ${key}`),
          ...leftOut.map((id) => `Not in the archive: the files of storage ${id}, which stay in its bucket.`),
        ].join('\n'),
      )
      return result.skipped.length === 0 ? EXIT.ok : EXIT.problems
    }),
}
