import { adoptVaultKey } from '../foundation/installation/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withAnyVaultKey } from './installation.ts'

export const SECRETS_COMMANDS: readonly Command[] = [
  {
    name: 'secrets adopt',
    summary: 'Go on with the key in the data folder after the one of the sealed secrets was lost',
    positionals: [],
    options: {},
    examples: ['godwit secrets adopt --data /srv/godwit'],
    run: (call) =>
      withAnyVaultKey(call, async ({ db }) => {
        await adoptVaultKey({ db, data: call.loaded.config.data, random: call.io.random })
        call.show(
          { adopted: true },
          'The key in the data folder is now that of this installation. What was sealed with another one must be entered anew.',
        )
        return EXIT.ok
      }),
  },
]
