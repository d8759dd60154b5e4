import { shownConfig } from '../kernel/config/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

const print: Command = {
  name: 'config print',
  summary: 'Show every setting in force and where it comes from; secrets are masked',
  positionals: [],
  options: {},
  examples: ['godwit config print', 'GODWIT_PORT=9000 godwit config print --json'],
  run: (call) => {
    const rows = shownConfig(call.loaded.config, call.loaded.sources)
    const lines = rows.map(({ name, value, source, environment }) =>
      [name.padEnd(26), String(value).padEnd(30), source.padEnd(11), environment].join('  '),
    )
    call.show(rows, lines.join('\n'))
    return Promise.resolve(EXIT.ok)
  },
}

const validate: Command = {
  name: 'config validate',
  summary: 'Check the configuration without starting anything',
  positionals: [],
  options: {},
  examples: ['godwit config validate --config ./godwit.json'],
  // An invalid configuration never gets here: reading it has failed with every fault and exit code 3.
  run: (call) => {
    call.show({ valid: true }, 'The configuration is valid.')
    return Promise.resolve(EXIT.ok)
  },
}

export const CONFIG_COMMANDS: readonly Command[] = [print, validate]
