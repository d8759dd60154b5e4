import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ClientPick } from '@godwit/contract'

/** Asks the person at this computer. */
export interface Dialogs {
  /** @returns absolute paths; none when the person declined */
  choose(pick: ClientPick, title: string): Promise<readonly string[]>
  /** Until it is read. */
  show(message: string): Promise<void>
}

interface Program {
  readonly name: string
  /** Prints a path per line. */
  words(pick: ClientPick, title: string): readonly string[]
  messageArgs(message: string): readonly string[]
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'zenity',
    words: (pick, title) => [
      ...['--file-selection', `--title=${title}`, '--multiple', '--separator=\n'],
      // Else it begins with what was used lately, where no folder can be chosen.
      `--filename=${homedir()}/`,
      ...(pick === 'folder' ? ['--directory'] : []),
    ],
    messageArgs: (message) => ['--error', '--no-markup', `--text=${message}`],
  },
  {
    name: 'kdialog',
    words: (pick, title) =>
      pick === 'folder'
        ? ['--title', title, '--getexistingdirectory', '.']
        : ['--title', title, '--multiple', '--separate-output', '--getopenfilename', '.'],
    messageArgs: (message) => ['--error', message],
  },
]

/** @returns undefined on a computer that shows no dialogs: without a display, or without a program for it */
export async function systemDialogs(environment: NodeJS.ProcessEnv): Promise<Dialogs | undefined> {
  if (!environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) return undefined
  for (const program of PROGRAMS) {
    const path = await find(program.name, environment['PATH'] ?? '')
    if (path === undefined) continue
    return {
      choose: (pick, title) => choose(path, program.words(pick, title), environment),
      show: async (message) => void (await choose(path, program.messageArgs(message), environment)),
    }
  }
  return undefined
}

async function find(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    if (
      folder !== '' &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return file
  }
  return undefined
}

async function choose(
  program: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const child = spawn(program, words, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = once(child, 'close')
  const chosen = await text(child.stdout)
  await closed
  if (child.exitCode !== 0) return []
  // A typed path may end in a slash or a dot, and a folder has its name all the same.
  return chosen
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => resolve(line))
}
