import { type ChildProcessByStdio, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Where the folder of a run appears to the program, which sees nothing else of what may be there. */
const CAGE_FOLDER = '/mnt'
/** What a program opens anew that reads its standard input as a file. */
const OWN_INPUT = process.platform === 'linux' ? '/proc/self/fd/0' : '/dev/fd/0'

/** A program that others wrote, and what it may cost. */
export interface CagedRun {
  /** Absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** The only folder it may write to: its home, its temporary folder and where it starts. */
  readonly folder: string
  /** Folders that it shall not see, such as the data of the server. */
  readonly hidden: readonly string[]
  readonly limitMs: number
  /** An open file that it finds in its folder under this name, and cannot change. */
  readonly input?: { readonly name: string; readonly descriptor: number }
  /** Called with each line that it prints while it runs. */
  readonly onLine?: (line: string) => void
  /** Private memory of each of its processes. */
  readonly memoryBytes: number
  /** Of any file that it writes. */
  readonly fileBytes: number
  readonly signal: AbortSignal
}

export interface CagedEnding {
  /** Null when it was ended. */
  readonly code: number | null
  readonly isTooSlow: boolean
  /** The end of what it said, for the log. */
  readonly words: string
}

const WORDS_MAX = 2_000
const PROCESSES_MAX = 256

/**
 * `$1` folder, `$2` seconds of processor time, `$3` memory in KiB, `$4` file in blocks of 512 bytes, `$5` folders to hide, one a
 * line, `$6` name of the file that is its standard input. Namespaces take the network, the other processes and the server's files
 * away where the system allows it; the limits hold everywhere. With the namespace of processes all of them end with the first.
 * With that of mounts the input is mounted read-only under its name, and the descriptor, which could be opened for writing, closed.
 */
const CAGE = `
folder=$1 hidden=$5 input=$6
ulimit -c 0; ulimit -t "$2"; ulimit -d "$3" 2>/dev/null; ulimit -f "$4"
shift 6
{ echo 1000 >/proc/self/oom_score_adj; renice -n 5 $$ >/dev/null; } 2>/dev/null
cd "$folder" || exit 126
inner='
  folder=$1 hidden=$2 input=$3; shift 3
  if [ "$folder" != - ]; then
    mount --make-rprivate / && mount --bind "$folder" ${CAGE_FOLDER} && cd ${CAGE_FOLDER} || exit 126
    if [ -n "$input" ]; then
      rm -f "$input" && : >"$input" && mount --bind "$(readlink /proc/self/fd/0)" "$input" || exit 126
      [ "$input" -ef /proc/self/fd/0 ] && mount -o remount,bind,ro,nosuid,nodev,noexec "$input" || exit 126
      exec </dev/null
    fi
    printf "%s\\n" "$hidden" | while IFS= read -r one; do
      case "$1" in "$one"/*) continue ;; esac
      [ ! -d "$one" ] || mount -t tmpfs -o size=16m,mode=755 none "$one" || exit 126
    done || exit 126
    mount -t proc none /proc 2>/dev/null || mount -t tmpfs none /proc || exit 126
    ulimit -u ${PROCESSES_MAX} 2>/dev/null || ulimit -p ${PROCESSES_MAX} 2>/dev/null
  fi
  HOME=$PWD TMPDIR=$PWD; export HOME TMPDIR
  exec "$@"'
for user in --user\\ --map-root-user ""; do
  spaces="unshare $user --net --ipc --pid --mount --fork --kill-child"
  $spaces true 2>/dev/null && exec $spaces /bin/sh -c "$inner" cage "$folder" "$hidden" "$input" "$@"
done
for user in --user ""; do
  unshare $user --net true 2>/dev/null && exec unshare $user --net /bin/sh -c "$inner" cage - "" "" "$@"
done
exec /bin/sh -c "$inner" cage - "" "" "$@"
`

/**
 * Runs a program apart from the server: nothing of its environment, no network, limits on time, memory, processes and files; ended
 * with all its children when the time is over or nobody waits any more.
 * @throws the signal's reason
 */
export async function runCaged(run: CagedRun): Promise<CagedEnding> {
  const { program, args, folder, hidden, input, onLine, limitMs, memoryBytes, fileBytes, signal } = run
  signal.throwIfAborted()
  if (input !== undefined) await fs.symlink(OWN_INPUT, path.join(folder, input.name))
  const limits = [Math.ceil(limitMs / 1000), Math.floor(memoryBytes / 1024), Math.ceil(fileBytes / 512)].map(String)
  const settings = [folder, ...limits, hidden.join('\n'), input?.name ?? '']
  const child = spawn('/bin/sh', ['-c', CAGE, 'cage', ...settings, program, ...args], {
    // Its own group, to be ended as one where there are no namespaces.
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8' },
    stdio: [input?.descriptor ?? 'ignore', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>
  if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine)
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-WORDS_MAX)))
  let isTooSlow = false
  const end = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  const timer = setTimeout(() => {
    isTooSlow = true
    end()
  }, limitMs)
  signal.addEventListener('abort', end, { once: true })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      // Children that outlive the first process keep its pipes open.
      child.once('exit', end)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    return { code, isTooSlow, words }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    // What it left behind in its group.
    end()
  }
}
