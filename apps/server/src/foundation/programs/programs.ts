import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Semaphore } from '@godwit/base'
import type { HookReason } from '@godwit/contract'
import { oneLine } from '../../kernel/plain-text.ts'

/** Why a file is no program that a hook may run. */
export type ProgramFault = 'off' | 'missing' | 'outside' | 'not-executable' | 'writable'

export interface Programs {
  /** The files of the folder that may be run, by name; null where the configuration names no folder. */
  list(): Promise<string[] | null>
  /** Where a program is, as it is now. */
  find(name: string): Promise<{ readonly file: string } | { readonly fault: ProgramFault }>
  /** Runs it once and waits for its end. Throws only when `signal` aborts. */
  run(call: ProgramCall, signal: AbortSignal): Promise<ProgramOutcome>
}

export interface ProgramCall {
  readonly program: string
  /** As they are: no shell reads them. */
  readonly arguments: readonly string[]
  readonly waitSeconds: number
  readonly id: string
  readonly event: string
  /** What happened, as JSON on its standard input. */
  readonly body: string
}

export interface ProgramOutcome {
  readonly isDelivered: boolean
  /** Its exit code; null when it was ended. */
  readonly status: number | null
  readonly reason: HookReason | null
  /** The first of what it printed, on one line. */
  readonly answer: string
}

const LISTED_MAX = 200
const ANSWER_BYTES = 512
/** More than this is no report of a hook. */
const OUTPUT_MAX = 1024 * 1024
/** Programs of all hooks together. */
const AT_ONCE = 4
const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const WRITABLE_BY_OTHERS = 0o022
const EXECUTABLE = 0o111

/** The programs of one folder. Each run has a process group of its own, which is gone when the run is over. */
export function createPrograms(folder: string): Programs {
  const places = new Semaphore(AT_ONCE)
  const find = (name: string) => findProgram(folder, name)
  return {
    find,
    async list() {
      if (folder === '') return null
      const names = (await fs.readdir(folder).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1)).slice(0, LISTED_MAX)
      const found = await Promise.all(names.map(async (name) => ({ name, found: await find(name) })))
      return found.flatMap((each) => ('file' in each.found ? [each.name] : []))
    },
    async run(call, signal) {
      const found = await find(call.program)
      if ('fault' in found) return failure('missing', found.fault)
      return places.run(() => runFile(folder, { ...call, file: found.file }, signal), signal)
    },
  }
}

/** A plain file of the folder itself: neither a path nor a link leads out of it, and nobody else can have written it. */
async function findProgram(folder: string, name: string): Promise<{ file: string } | { fault: ProgramFault }> {
  if (folder === '') return { fault: 'off' }
  if (name === '' || name !== path.basename(name) || name === '.' || name === '..') return { fault: 'outside' }
  const file = path.join(folder, name)
  try {
    const stats = await fs.lstat(file)
    if (!stats.isFile()) return { fault: stats.isSymbolicLink() ? 'outside' : 'not-executable' }
    if ((stats.mode & EXECUTABLE) === 0) return { fault: 'not-executable' }
    const around = await fs.stat(folder)
    const isWritable = ((stats.mode | around.mode) & WRITABLE_BY_OTHERS) !== 0
    return isWritable ? { fault: 'writable' } : { file }
  } catch {
    return { fault: 'missing' }
  }
}

interface FileCall extends ProgramCall {
  readonly file: string
}

async function runFile(folder: string, call: FileCall, signal: AbortSignal): Promise<ProgramOutcome> {
  signal.throwIfAborted()
  const limit = AbortSignal.timeout(call.waitSeconds * 1000)
  const ended = AbortSignal.any([signal, limit])
  const child = spawn(call.file, call.arguments, {
    cwd: folder,
    shell: false,
    // A group of its own, so that what it started can be ended with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of the server's own environment, which may hold passwords.
    env: { PATH: SEARCH_PATH, LANG: 'C.UTF-8', GODWIT_EVENT: call.event, GODWIT_DELIVERY_ID: call.id },
  })
  const output = readOutput(child)
  const end = (): void => killGroup(child)
  ended.addEventListener('abort', end, { once: true })
  try {
    const code = await exitOf(child, call.body)
    signal.throwIfAborted()
    const answer = oneLine(output.text())
    if (output.isTooMuch()) return { ...failure('output', ''), answer }
    if (code === undefined) return failure('missing', answer)
    if (limit.aborted) return failure('timeout', answer)
    return { isDelivered: code === 0, status: code, reason: code === 0 ? null : 'exit', answer }
  } finally {
    ended.removeEventListener('abort', end)
    // Whatever it left behind ends with it.
    killGroup(child)
  }
}

/** @returns its code; null when it was killed; undefined when it could not be started */
function exitOf(child: ChildProcess, body: string): Promise<number | null | undefined> {
  const settled = Promise.withResolvers<number | null | undefined>()
  child.on('error', () => settled.resolve(undefined))
  child.on('exit', (code) => settled.resolve(code))
  // Whoever does not read what happened has no need of it.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(body)
  return settled.promise
}

function readOutput(child: ChildProcess) {
  const kept: Buffer[] = []
  let size = 0
  let keptSize = 0
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (keptSize < ANSWER_BYTES) {
        const rest = chunk.subarray(0, ANSWER_BYTES - keptSize)
        kept.push(rest)
        keptSize += rest.length
      }
      if (size > OUTPUT_MAX) killGroup(child)
    })
    stream?.on('error', () => undefined)
  }
  return { text: () => Buffer.concat(kept).toString('utf8'), isTooMuch: () => size > OUTPUT_MAX }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

function failure(reason: HookReason, answer: string): ProgramOutcome {
  return { isDelivered: false, status: null, reason, answer }
}
