import { manualEntry, manualExample, manualHeading, manualPage, manualParagraph, manualText } from '@godwit/base'
import { BENCH_OPTIONS, type OptionSpec, RECV_OPTIONS, SEND_OPTIONS } from './options.ts'

const EXITS = [
  ['0', 'everything is in place'],
  ['1', 'failed'],
  ['2', 'wrong arguments'],
  ['3', 'some files failed'],
  ['4', 'refused by the peer'],
  ['5', 'connection lost, no retry left'],
] as const

export const HELP = `gwt: moves files over long and lossy networks as fast as the line allows.

  gwt recv FOLDER            wait for files; prints a code for the other side
  gwt send PATH... HOST      send files and folders
  ... --via URL              instead of a host: meet at a Godwit server, when neither side can be reached
  gwt bench                  what this machine can do over its own loopback
  gwt sim                    a transfer in the simulator
  gwt man                    print the manual page of this program
  gwt COMMAND --help         options and examples of a command
  gwt --version

The same command again goes on where the last one stopped.

Exit codes
${EXITS.map(([code, meaning]) => `  ${code} ${meaning}`).join('\n')}
`

interface CommandHelp {
  readonly usage: readonly string[]
  /** Paragraphs. */
  readonly about: readonly string[]
  readonly examples: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
}

const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  send: {
    usage: ['gwt send PATH... HOST[:PORT]', 'gwt send --via URL PATH...', 'gwt send - HOST[:PORT] --name NAME'],
    about: [
      `Sends files and folders to gwt recv, and asks for the code that it shows. What is there already with the same size and time is not sent again; an older
file is replaced; a newer one is kept and reported, and the exit code is 3 (--update, --overwrite, --ignore-existing).
Kept are contents, names and times of files and folders; permissions, links and holes if recv has the option.
PATH - is standard input. It is kept in a temporary file first, since its size has to be known and a lost
connection must not lose it.`,
      `With --via both sides meet at a Godwit server, which needs no account of the sender. Data goes directly between them by UDP where their
routers let it through, and else through the server, which cannot read it; the program says which way it goes.`,
      'While it runs on a terminal: space or p pauses, + and - change the rate, q stops.',
    ],
    examples: [
      'gwt send video.mov photos/ 203.0.113.7',
      "gwt send data/ host --exclude '*.tmp' --exclude 'cache/**' --max-size 4G",
      "gwt send data/ host --rate 200M --schedule 'mon-fri 08:00-18:00 20M'",
      'gwt send data/ host --dry-run',
      'gwt send --via https://godwit.example data/',
      'tar -c data | gwt send - host --name data.tar',
    ],
    options: SEND_OPTIONS,
  },
  recv: {
    usage: ['gwt recv FOLDER', 'gwt recv FOLDER --via URL', 'gwt recv -'],
    about: [
      `Waits for files and puts them into FOLDER, or writes one file to standard output. Prints a code; whoever knows it can
send. A code of your own is given by --code-file, GWT_CODE or --code -, never in the command line. An unfinished transfer goes on when its sender comes back.`,
      `With --via it waits at a Godwit server instead of a port, for ten minutes at most, and takes one sender at a time. The server asks for an API
token of an account (GODWIT_TOKEN or --token-file), unless its site lets everybody in.`,
      'While it runs on a terminal: space or p pauses, q stops.',
    ],
    examples: [
      'gwt recv ./in --port 32001',
      'gwt recv ./in --via https://godwit.example',
      'gwt recv /backup --perms --links --sparse',
      'gwt recv - --once | tar -x',
    ],
    options: RECV_OPTIONS,
  },
  bench: {
    usage: ['gwt bench'],
    about: [
      `Measures what this machine can do over its own loopback, for each way to do UDP and for TCP. With --files also what
the disk alone does with as many files.`,
    ],
    examples: ['gwt bench --size 2G', 'gwt bench --files 100000'],
    options: BENCH_OPTIONS,
  },
}

/** Help of one command; undefined for one that has none here. */
export function helpOf(command: string): string | undefined {
  const help = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (help === undefined) return undefined
  const { usage, about, examples, options } = help
  const lines = Object.entries(options).map((option) => `  ${flagsOf(option).padEnd(22)} ${option[1].help}`)
  const parts = [usage.join('\n'), ...about, ['Examples', ...examples.map((line) => `  ${line}`)].join('\n')]
  return `${[...parts, ['Options', ...lines].join('\n')].join('\n\n')}\n`
}

function flagsOf([name, { short, value }]: readonly [string, OptionSpec]): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

/** The manual page, for `man`. */
export function manual(version: string, printedAt: Date): string {
  return manualPage({ name: 'gwt', version, printedAt }, [
    ['NAME', ['gwt \\- move files over long and lossy networks']],
    ['SYNOPSIS', ['.B gwt', '.I COMMAND', manualText('[options]')]],
    [
      'DESCRIPTION',
      [
        manualText(
          'Moves files from one machine to another as fast as the line between them allows, without a server.',
        ),
        manualText('The same command again goes on where the last one stopped.'),
      ],
    ],
    ['COMMANDS', Object.values(COMMANDS).flatMap(commandPart)],
    ['EXIT STATUS', EXITS.flatMap(([code, meaning]) => manualEntry(code, meaning))],
    [
      'ENVIRONMENT',
      [
        ...manualEntry('GWT_CODE', 'the code of a transfer, for both sides'),
        ...manualEntry('GODWIT_TOKEN', 'an API token of the server of gwt recv --via'),
      ],
    ],
  ])
}

function commandPart({ usage, about, examples, options }: CommandHelp): readonly string[] {
  return [
    ...usage.map(manualHeading),
    ...about.flatMap((words, at) => manualParagraph(words.replaceAll('\n', ' '), at === 0)),
    ...Object.entries(options).flatMap((option) => manualEntry(flagsOf(option), option[1].help)),
    ...examples.flatMap(manualExample),
  ]
}
