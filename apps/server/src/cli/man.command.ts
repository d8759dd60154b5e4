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
      call.io.stdout(manualPage(commands(), new Date(call.io.clock.now())))
      return Promise.resolve(EXIT.ok)
    },
  }
}

/** A page of section 1 in the macros of man(7), from what `--help` prints. */
function manualPage(commands: readonly Command[], printedAt: Date): string {
  return [
    `.TH GODWIT 1 "${printedAt.toISOString().slice(0, 10)}" "Godwit ${PRODUCT_VERSION}" "User Commands"`,
    ...section('NAME', ['godwit \\- serve, look after and examine a Godwit installation']),
    ...section('SYNOPSIS', ['.B godwit', '.I COMMAND', text('[options]')]),
    ...section('DESCRIPTION', [
      text(
        'Godwit moves and shares large files. This is the command of its operator: it starts the server, and does at a shell',
      ),
      text('what the console of the administrator does in a browser. Facts are printed as JSON with --json.'),
    ]),
    ...section('COMMANDS', commands.flatMap(commandPart)),
    ...section('SETTINGS', [
      text('Each has a flag, a variable and a key of the configuration file. A flag comes before the environment, the'),
      text(
        'environment before the file, the file before the default. The variable with _FILE behind its name is the file that holds the value.',
      ),
      ...Object.entries(CONFIG_KEYS)
        .filter(([, { secret }]) => secret !== 'all')
        .flatMap(([name, { summary }]) => tagged(`--${flagName(name)}`, `${summary} (${environmentName(name)})`)),
    ]),
    ...section('EXIT STATUS', [
      ...Object.entries(EXIT).flatMap(([name, code]) => tagged(String(code), EXIT_TEXTS[name as keyof typeof EXIT])),
    ]),
    ...section('ENVIRONMENT', [
      ...tagged(CONFIG_FILE_VARIABLE, 'the configuration file, as --config'),
      ...Object.entries(CONFIG_KEYS).flatMap(([name, { summary }]) => tagged(environmentName(name), summary)),
    ]),
    ...section('FILES', tagged('godwit.json', 'the settings of an installation, in its data folder')),
    ...section('EXAMPLES', [
      'Start a server, make the first account, and keep a copy of everything:',
      ...PROGRAM_EXAMPLES.flatMap(example),
    ]),
    '',
  ].join('\n')
}

function commandPart({ name, summary, positionals, options, examples }: Command): string[] {
  const words = ['godwit', name, ...positionals].join(' ')
  return [
    `.SS "${text(words).replaceAll('"', '\\(dq')}"`,
    text(`${summary}.`),
    ...Object.entries(options).flatMap(([option, { summary: meaning, value, required }]) =>
      tagged(optionFlag(option, value), `${meaning}${required === true ? ' (required)' : ''}`),
    ),
    ...examples.flatMap(example),
  ]
}

function section(name: string, lines: readonly string[]): string[] {
  return [`.SH ${name}`, ...lines]
}

function tagged(tag: string, meaning: string): string[] {
  return ['.TP', `.B ${text(tag)}`, text(meaning)]
}

function example(line: string): string[] {
  return ['.PP', '.RS', '.nf', text(line), '.fi', '.RE']
}

/** Nothing in it is a request: a dot or quote at the beginning of a line would be one, and a hyphen would become a dash. */
function text(words: string): string {
  const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
