import { serve } from '../main.ts'
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
    await serve(loaded.config, (line) => io.stdout(`${line}\n`))
    return EXIT.ok
  },
}
