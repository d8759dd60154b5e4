import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { launch } from '@godwit/testkit'

/** Calls of one thread are counted apart from those of the others, so a server under trace has one thread for its files. */
export const TRACED_ENV = { UV_THREADPOOL_SIZE: '1' }

/** `main` runs the database, `files` the storage. */
export type Thread = 'main' | 'files'

/** One call of the system, where something is made to happen: the `when`-th of its kind in its thread from now on. */
export interface Point {
  readonly thread: Thread
  readonly syscall: string
  readonly when: number
  /** As strace has it: `signal=SIGKILL`, delivered before the call is made, or `error=EIO`, instead of it. */
  readonly effect: 'signal=SIGKILL' | 'error=EIO'
}

export interface Trap extends AsyncDisposable {
  /** Whether the point was reached. */
  wasHit(): boolean
}

/** Only root, or everybody where the kernel lets processes of one account trace each other. */
export const mayTrace = process.platform === 'linux' && (await tracesOthers())

async function tracesOthers(): Promise<boolean> {
  try {
    await promisify(execFile)('strace', ['-V'])
    const scope = '/proc/sys/kernel/yama/ptrace_scope'
    return process.getuid?.() === 0 || !fs.existsSync(scope) || fs.readFileSync(scope, 'utf8').trim() === '0'
  } catch {
    // Without the tool the answer is no.
    return false
  }
}

/** Sets a trap in a running process. The files' thread must have worked before, or it is not there yet. */
export async function setTrap(pid: number, { thread, syscall, when, effect }: Point): Promise<Trap> {
  const inject = `inject=${syscall}:${effect}:when=${when}`
  const argv = ['strace', '-p', String(threadOf(pid, thread)), '-e', `trace=${syscall}`, '-e', inject] as const
  const strace = await launch([...argv], { isReady: (output) => output.includes('attached') })
  return {
    wasHit: () => /\(INJECTED\)|killed by SIGKILL/.test(strace.output()),
    [Symbol.asyncDispose]: async () => void (await strace.end('SIGINT')),
  }
}

function threadOf(pid: number, thread: Thread): number {
  if (thread === 'main') return pid
  const tasks = fs.readdirSync(`/proc/${pid}/task`)
  const found = tasks.find((task) => fs.readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').includes('libuv-worker'))
  if (found === undefined) throw new Error('the thread of the files has not begun')
  return Number(found)
}
