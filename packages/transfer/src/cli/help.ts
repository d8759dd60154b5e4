import { BENCH_OPTIONS, type OptionSpec, RECV_OPTIONS, SEND_OPTIONS } from './options.ts'

export const HELP = `gwt: moves files over long and lossy networks as fast as the line allows.

  gwt recv FOLDER            wait for files; prints a code for the other side
  gwt send PATH... HOST      send files and folders
  gwt bench                  what this machine can do over its own loopback
  gwt sim                    a transfer in the simulator
  gwt COMMAND --help         options and examples of a command
  gwt --version

The same command again goes on where the last one stopped.

Exit codes
  0 everything is in place     1 failed                2 wrong arguments
  3 some files failed          4 refused by the peer   5 connection lost, no retry left
`

const SEND = `gwt send PATH... HOST[:PORT]
gwt send - HOST[:PORT] --name NAME

Sends files and folders to gwt recv, and asks for the code that it shows. What is there already with the same size and time is not sent again; an older
file is replaced; a newer one is kept and reported, and the exit code is 3 (--update, --overwrite, --ignore-existing).
Kept are contents, names and times of files and folders; permissions, links and holes if recv has the option.
PATH - is standard input. It is kept in a temporary file first, since its size has to be known and a lost
connection must not lose it.

While it runs on a terminal: space or p pauses, + and - change the rate, q stops.

Examples
  gwt send video.mov photos/ 203.0.113.7
  gwt send data/ host --exclude '*.tmp' --exclude 'cache/**' --max-size 4G
  gwt send data/ host --rate 200M --schedule 'mon-fri 08:00-18:00 20M'
  gwt send data/ host --dry-run
  tar -c data | gwt send - host --name data.tar
`

const RECV = `gwt recv FOLDER
gwt recv -

Waits for files and puts them into FOLDER, or writes one file to standard output. Prints a code; whoever knows it can
send. A code of your own is given by --code-file, GWT_CODE or --code -, never in the command line. An unfinished transfer goes on when its sender comes back.

While it runs on a terminal: space or p pauses, q stops.

Examples
  gwt recv ./in --port 32001
  gwt recv /backup --perms --links --sparse
  gwt recv - --once | tar -x
`

const BENCH = `gwt bench

Measures what this machine can do over its own loopback, for each way to do UDP and for TCP. With --files also what
the disk alone does with as many files.

Examples
  gwt bench --size 2G
  gwt bench --files 100000
`

/** Help of one command; undefined for one that has none here. */
export function helpOf(command: string): string | undefined {
  if (command === 'send') return `${SEND}\nOptions\n${describeOptions(SEND_OPTIONS)}`
  if (command === 'recv') return `${RECV}\nOptions\n${describeOptions(RECV_OPTIONS)}`
  if (command === 'bench') return `${BENCH}\nOptions\n${describeOptions(BENCH_OPTIONS)}`
  return undefined
}

function describeOptions(options: Readonly<Record<string, OptionSpec>>): string {
  const lines = Object.entries(options).map(([name, { short, value, help }]) => {
    const names = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    return `  ${names.padEnd(22)} ${help}\n`
  })
  return lines.join('')
}
