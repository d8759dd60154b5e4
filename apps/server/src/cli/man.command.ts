import { manualEntry, manualExample, manualHeading, manualPage, manualText } from '@godwit/base'
import { PRODUCT_VERSION } from '../foundation/settings/index.ts'
import { CONFIG_FILE_VARIABLE, CONFIG_KEYS, environmentName, flagName } from '../kernel/config/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { EXIT_TEXTS, optionFlag, PROGRAM_EXAMPLES } from './help.ts'

export function manCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'man',
    summary: 'Print the manual page of this program',
    positionals: [],
    options: {},
    examples: ['godwit man > /usr/local/share/man/man1/godwit.1', 'godwit man | man -l -'],
    run: (call) => {
      call.io.stdout(page(commands(), new Date(call.io.clock.now())))
      return Promise.resolve(EXIT.ok)
    },
  }
}

/** What `--help` prints, as a page. */
function page(commands: readonly Command[], printedAt: Date): string {
  return manualPage({ name: 'godwit', version: PRODUCT_VERSION, printedAt }, [
    ['NAME', ['godwit \\- serve, look after and examine a Godwit installation']],
    ['SYNOPSIS', ['.B godwit', '.I COMMAND', manualText('[options]')]],
    [
      'DESCRIPTION',
      [
        manualText(
          'Godwit moves and shares large files. This is the command of its operator: it starts the server, and does at a shell',
        ),
        manualText('what the console of the administrator does in a browser. Facts are printed as JSON with --json.'),
      ],
    ],
    ['COMMANDS', commands.flatMap(commandPart)],
    [
      'SETTINGS',
      [
        manualText(
          'Each has a flag, a variable and a key of the configuration file. A flag comes before the environment, the',
        ),
        manualText(
          'environment before the file, the file before the default. The variable with _FILE behind its name is the file that holds the value.',
        ),
        ...Object.entries(CONFIG_KEYS)
          .filter(([, { secret }]) => secret !== 'all')
          .flatMap(([name, { summary }]) =>
            manualEntry(`--${flagName(name)}`, `${summary} (${environmentName(name)})`),
          ),
      ],
    ],
    [
      'EXIT STATUS',
      Object.entries(EXIT).flatMap(([name, code]) => manualEntry(String(code), EXIT_TEXTS[name as keyof typeof EXIT])),
    ],
    [
      'ENVIRONMENT',
      [
        ...manualEntry(CONFIG_FILE_VARIABLE, 'the configuration file, as --config'),
        ...Object.entries(CONFIG_KEYS).flatMap(([name, { summary }]) => manualEntry(environmentName(name), summary)),
      ],
    ],
    ['FILES', manualEntry('godwit.json', 'the settings of an installation, in its data folder')],
    [
      'EXAMPLES',
      [
        'Start a server, make the first account, and keep a copy of everything:',
        ...PROGRAM_EXAMPLES.flatMap(manualExample),
      ],
    ],
  ])
}

function commandPart({ name, summary, positionals, options, examples }: Command): string[] {
  return [
    manualHeading(['godwit', name, ...positionals].join(' ')),
    manualText(`${summary}.`),
    ...Object.entries(options).flatMap(([option, { summary: meaning, value, required }]) =>
      manualEntry(optionFlag(option, value), `${meaning}${required === true ? ' (required)' : ''}`),
    ),
    ...examples.flatMap(manualExample),
  ]
}
