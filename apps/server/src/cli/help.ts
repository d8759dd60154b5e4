import { CONFIG_KEYS, environmentName, flagName } from '../kernel/config/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

export const EXIT_TEXTS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  problems: 'the command found problems, or failed for the reason it printed',
  usage: 'the words of the call are off',
  config: 'the configuration is invalid',
  notFound: 'the named account or file does not exist',
  refused: 'refused by a rule, or it exists already',
  unavailable: 'database or storage cannot be reached',
  stuck: 'the server did not stop within 20 s; its log names the step',
  interrupted: 'interrupted by Ctrl-C',
}

export const PROGRAM_EXAMPLES = [
  'godwit serve --port 9000 --data /srv/godwit',
  'godwit user add --account mei --email mei@example.org --password-file ./mei.txt',
  'godwit backup /backups/godwit.tar',
]

/** An option as it is typed. */
export function optionFlag(name: string, value: string | undefined): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`
}

/** Help of the whole program: examples first, then commands, settings and exit codes. */
export function programHelp(commands: readonly Command[]): string {
  const settings = Object.entries(CONFIG_KEYS).map(([name, { summary, secret }]) =>
    secret === 'all'
      ? `  ${environmentName(name).padEnd(28)}  ${summary} (no flag: a secret)`
      : `  --${flagName(name).padEnd(26)}  ${summary} (${environmentName(name)})`,
  )
  return [
    'Usage: godwit COMMAND [options]',
    '',
    'Examples:',
    ...PROGRAM_EXAMPLES.map((example) => `  ${example}`),
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(18)}  ${summary}`),
    '',
    'Settings (default < config file < environment < flag), for every command:',
    `  --${'config'.padEnd(26)}  JSON file with settings (default: godwit.json in the data folder, when it exists)`,
    ...settings,
    '',
    'Everywhere: --json prints facts as JSON; --help shows the help of a command.',
    '',
    'Exit codes:',
    ...Object.entries(EXIT).map(
      ([name, code]) => `  ${String(code).padEnd(4)} ${EXIT_TEXTS[name as keyof typeof EXIT]}`,
    ),
    '',
  ].join('\n')
}

/** The commands that begin with one word. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  return [
    `Usage: godwit ${word} COMMAND [options]`,
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(18)}  ${summary}`),
    '',
    `See godwit ${commands[0]?.name ?? word} --help.`,
    '',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options)
  return [
    `Usage: godwit ${[command.name, ...command.positionals, options.length > 0 ? '[options]' : ''].filter(Boolean).join(' ')}`,
    '',
    command.summary,
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    ...(options.length === 0 ? [] : ['', 'Options:']),
    ...options.map(([name, { summary, value, required }]) => {
      return `  ${optionFlag(name, value).padEnd(26)}  ${summary}${required === true ? ' (required)' : ''}`
    }),
    '',
    'Settings such as --data and --database-url go with every command: see godwit --help.',
    '',
  ].join('\n')
}
