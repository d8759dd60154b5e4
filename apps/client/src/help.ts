import { manualEntry, manualPage, manualText } from '@godwit/base'
import { CLIENT_VERSION } from './version.ts'

type Line = readonly [words: string, meaning: string]

const COMMANDS: readonly Line[] = [
  ['login SERVER', 'sign in: confirm a code in the browser'],
  ['login SERVER --token-file FILE', 'sign in with an API token; - reads standard input'],
  ['logout [SERVER]', 'revoke the token and forget it'],
  ['run', 'stay connected, so that pages see this client'],
  ['start | stop', 'the same in the background'],
  ['open', 'show the page of the client in a browser'],
  ['open -- ADDRESS', 'the same for a godwit:// address of a web page'],
  ['upgrade', 'to the version that the makers of this one have signed'],
  ['upgrade trust KEY', 'let the holder of another key replace this program as well'],
  ['autostart on | off', 'start with the session; either way the menu opens the page'],
  ['notifications on | off', 'of what became of transfers, on a Linux desktop'],
  ['menu on | off', '"Send with Godwit" in file managers, on Linux'],
  ['send -- FILE...', 'the page of the client asks where they go'],
  ['accounts', 'list the sign-ins, the last one first'],
  ['up PATH... FOLDER', 'send files and folders into a folder of the server'],
  ['down PATH... FOLDER', 'fetch files and folders into a local folder'],
  ['up | down ... --later', 'let the background do it, also after a restart'],
  ['queue', 'list what the background has to do and has done'],
  ['queue retry | cancel | forget N', 'a line of that list: failed files again, stop it, remove it'],
  ['queue pause | resume N', 'hold a line of that list, let it go on'],
  ['queue CHOICE N', 'replace, keep-both or skip its files that exist already'],
  ['queue priority N GRADE', 'low, normal or high: which line comes first'],
  ['watch LOCAL FOLDER', 'upload what is new or changed in a local folder, once it rests'],
  ['watch down FOLDER LOCAL', 'fetch what is new or changed in a folder of the server'],
  ['watch | watch stop LOCAL', 'list the watched folders, or stop one'],
  ['doctor', 'look for what keeps transfers from being fast, and what mends it'],
  ['folders', 'what pages may send from, and where their downloads go'],
  ['folders allow | forbid FOLDER', 'let pages send from a folder without a dialog'],
  ['folders downloads FOLDER', 'where downloads of pages go'],
  ['filters', 'what no upload of this computer takes along'],
  ['filters add | remove PATTERN', "such as '*.tmp' or 'drafts/**'"],
  ['ls [FOLDER]', 'list a folder of the server'],
  ['status', 'list the transfers of the account'],
  ['pause | resume | cancel ID', 'control one of them, also of another machine'],
  ['limit ID RATE', 'how fast it may be from now on; 0 lifts the limit'],
  ['deadline ID TIME', 'when it is to have arrived, such as 18:00: others give way; none takes it back'],
  ['man', 'print the manual page of this program'],
]

const OPTIONS: readonly Line[] = [
  ['--config FOLDER', 'keep everything in this folder, as GODWIT_CLIENT_HOME says'],
  ['--server URL, --account NAME', 'which of several sign-ins'],
  ['--space ID', 'space; default: where the account begins'],
  ['--group ID', 'files of a group instead of your own'],
  ['--rate RATE', 'send at most so fast, such as 800k or 20M bits per second'],
  ['--by TIME', 'let up or down arrive by 18:00, or 2026-11-30T18:00: others give way'],
  ['--no-udp', 'use TCP alone'],
  ['--exclude PATTERN', "send no file of that name, such as '*.tmp' or 'drafts/**'; may be repeated"],
  ['--dry-run', 'say what up or down would transfer, and transfer nothing'],
  ['--later', 'put it into the queue of the background'],
  ['--ask', 'with --later: files that exist already wait for an answer on the page'],
  ['--json', 'one JSON object a line'],
  ['--version', 'which version this is'],
  ['--help', 'this text'],
]

const EXITS: readonly Line[] = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'usage'],
  ['3', 'some files failed'],
]

const SUMMARY = 'send and receive the files of a Godwit server at line speed'
const ABOUT =
  'The same command again goes on where the last run stopped. Data goes by UDP, and by TCP where UDP is blocked.'

export const HELP = `godwit-client: ${SUMMARY}

${COMMANDS.map(([words, meaning]) => `  ${`godwit-client ${words}`.padEnd(46)} ${meaning}`).join('\n')}

Options
${OPTIONS.map(([flag, meaning]) => `  ${flag.padEnd(30)} ${meaning}`).join('\n')}

${ABOUT}
Exit codes: ${EXITS.map((line) => line.join(' ')).join(', ')}.`

/** The manual page, for `man`. */
export function manual(printedAt: Date): string {
  return manualPage({ name: 'godwit-client', version: CLIENT_VERSION, printedAt }, [
    ['NAME', [manualText(`godwit-client - ${SUMMARY}`)]],
    ['SYNOPSIS', ['.B godwit-client', '.I COMMAND', manualText('[options]')]],
    ['DESCRIPTION', [manualText(ABOUT)]],
    ['COMMANDS', COMMANDS.flatMap((line) => manualEntry(...line))],
    ['OPTIONS', OPTIONS.flatMap((line) => manualEntry(...line))],
    ['EXIT STATUS', EXITS.flatMap((line) => manualEntry(...line))],
  ])
}
