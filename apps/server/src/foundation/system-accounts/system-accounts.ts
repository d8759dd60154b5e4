import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Semaphore } from '@godwit/base'
import type { PamAnswer, PamQuestion } from './pam.types.ts'

export interface SystemAccounts {
  /**
   * Whether an account of the operating system has this password.
   * @throws SystemAccountsFault
   */
  check(
    question: Omit<PamQuestion, 'folder'>,
    withinMs: number,
  ): Promise<Exclude<PamAnswer, { readonly error: number }>>
}

/** `missing`: no service file of the name. `busy`, `timeout`: too many wait, or it took too long. `failed`: PAM itself. */
export type SystemAccountsReason = 'missing' | 'busy' | 'timeout' | 'failed'

export class SystemAccountsFault extends Error {
  override readonly name = 'SystemAccountsFault'
  readonly reason: SystemAccountsReason
  constructor(reason: SystemAccountsReason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

export interface SystemAccountsOptions {
  /** Where service files are. Default: where the system has them. */
  readonly folder?: string
}

const PROGRAM = path.join(import.meta.dirname, 'pam.child.ts')
const FOLDERS = ['/etc/pam.d', '/usr/lib/pam.d', '/usr/share/pam.d']
/** Each is a process, and modules wait on purpose after a wrong password. */
const AT_ONCE = 4
const WAITING_MAX = 16
const ANSWER_BYTES = 256 * 1024

/** The accounts of the machine this server runs on, which PAM knows. Each question has a process of its own. */
export function createSystemAccounts({ folder = '' }: SystemAccountsOptions = {}): SystemAccounts {
  const places = new Semaphore(AT_ONCE)
  let waiting = 0
  return {
    async check(asked, withinMs) {
      const folders = folder === '' ? FOLDERS : [folder]
      // Without its file PAM would ask the service `other`, which nobody means.
      if (!folders.some((each) => existsSync(path.join(each, asked.service)))) throw new SystemAccountsFault('missing')
      if (waiting >= WAITING_MAX) throw new SystemAccountsFault('busy')
      const limit = AbortSignal.timeout(withinMs)
      waiting += 1
      try {
        return await places.run(() => askOnce({ ...asked, folder }, limit), limit)
      } catch (thrown) {
        if (thrown instanceof SystemAccountsFault) throw thrown
        throw new SystemAccountsFault(limit.aborted ? 'timeout' : 'failed', { cause: thrown })
      } finally {
        waiting -= 1
      }
    },
  }
}

async function askOnce(
  question: PamQuestion,
  limit: AbortSignal,
): Promise<Exclude<PamAnswer, { readonly error: number }>> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM], {
    cwd: '/',
    shell: false,
    stdio: ['pipe', 'pipe', 'ignore'],
    // Nothing of the server's own environment, which may hold passwords.
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
  })
  const end = (): void => killTree(child)
  limit.addEventListener('abort', end, { once: true })
  try {
    const printed = await outputOf(child, JSON.stringify(question))
    limit.throwIfAborted()
    const answer = JSON.parse(printed) as PamAnswer
    if (typeof answer === 'object' && 'error' in answer) throw new Error(`PAM result ${answer.error}`)
    return answer
  } finally {
    limit.removeEventListener('abort', end)
    killTree(child)
  }
}

/** What it printed until it ended. The password goes to its standard input and is nowhere else. */
async function outputOf(child: ChildProcess, question: string): Promise<string> {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('a helper without its pipes')
  const failed = Promise.withResolvers<never>()
  child.once('error', failed.reject)
  // One that ended early reads no question; how it ended says why.
  stdin.on('error', () => undefined)
  stdin.end(question)
  const chunks: Buffer[] = []
  let bytes = 0
  const read = async (): Promise<string> => {
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES) throw new Error('a helper that says too much')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  }
  return Promise.race([read(), failed.promise])
}

/** Ends it with all that its modules started: some of them, such as pam_exec, leave the group and the session. */
function killTree({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  // Their parents last, because children of a process that ended belong to nobody.
  for (const each of treeOf(pid).toReversed()) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
}

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').flatMap((word) => (word === '' ? [] : [Number(word)]))
  } catch {
    // It ended meanwhile.
    return []
  }
}
