import { ConfigError } from '../kernel/config/index.ts'
import { serve } from '../main.ts'
import { listenFault } from '../oversight/maintenance/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the server: portal, API and documentation',
  positionals: [],
  options: {},
  examples: [
    'godwit serve',
    'godwit serve --port 9000 --data /srv/godwit',
    'GODWIT_DATABASE_URL=mysql://godwit:secret@db/godwit godwit serve',
  ],
  run: async ({ loaded, io }) => {
    try {
      await serve(loaded, { print: (line) => io.stdout(`${line}\n`), environment: io.environment })
    } catch (thrown) {
      const isListening =
        thrown instanceof Error && 'syscall' in thrown && /^(?:listen|getaddrinfo)$/.test(String(thrown.syscall))
      const fault = isListening ? listenFault(thrown, loaded.config) : undefined
      if (fault === undefined) throw thrown
      const { key, message } = fault
      throw new ConfigError([{ key, source: loaded.sources[key], message }], { cause: thrown })
    }
    return EXIT.ok
  },
}
