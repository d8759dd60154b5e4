import { spawn } from 'node:child_process'

/** Where the folder of a run appears to the program, which sees nothing else of what may be there. */
const CAGE_FOLDER = '/mnt'

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
 * line. Namespaces take the network, the other processes and the server's files away where the system allows it; the limits
 * hold everywhere. With the namespace of processes all of them end with the first.
 */
const CAGE = `
folder=$1 hidden=$5
ulimit -c 0; ulimit -t "$2"; ulimit -d "$3" 2>/dev/null; ulimit -f "$4"
shift 5
{ echo 1000 >/proc/self/oom_score_adj; renice -n 5 $$ >/dev/null; } 2>/dev/null
cd "$folder" || exit 126
inner='
  folder=$1 hidden=$2; shift 2
  if [ "$folder" != - ]; then
    mount --make-rprivate / && mount --bind "$folder" ${CAGE_FOLDER} && cd ${CAGE_FOLDER} || exit 126
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
  $spaces true 2>/dev/null && exec $spaces /bin/sh -c "$inner" cage "$folder" "$hidden" "$@"
done
for user in --user ""; do
  unshare $user --net true 2>/dev/null && exec unshare $user --net /bin/sh -c "$inner" cage - "" "$@"
done
exec /bin/sh -c "$inner" cage - "" "$@"
`

/**
 * Runs a program apart from the server: nothing of its environment, no network, limits on time, memory, processes and files; ended
 * with all its children when the time is over or nobody waits any more.
 * @throws the signal's reason
 */
export async function runCaged(run: CagedRun): Promise<CagedEnding> {
  const { program, args, folder, hidden, limitMs, memoryBytes, fileBytes, signal } = run
  signal.throwIfAborted()
  const limits = [Math.ceil(limitMs / 1000), Math.floor(memoryBytes / 1024), Math.ceil(fileBytes / 512)].map(String)
  const child = spawn('/bin/sh', ['-c', CAGE, 'cage', folder, ...limits, hidden.join('\n'), program, ...args], {
    // Its own group, to be ended as one where there are no namespaces.
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
