import { spawn } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '..')

/** One thing a script does: a command line, or a function that throws when it fails and may return what to say. */
export interface Step {
  readonly name: string
  readonly work: Command | (() => Promise<string>)
}

/** A program of this repository's tools. Its standard input is always closed, so nothing waits for a person. */
export interface Command {
  /** The program and its arguments; programs of `node_modules/.bin` are found by name. */
  readonly argv: readonly [string, ...string[]]
  /** Folder under the root to run in. */
  readonly folder?: string
  /** Shown while it runs, instead of only when it fails. */
  readonly live?: boolean
  /** The program and all it started are ended after this long. Default 10 minutes. */
  readonly timeoutMs?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface Outcome {
  readonly name: string
  readonly ok: boolean
  /** Everything the step printed, unless it was shown live. */
  readonly output: string
  readonly tookMs: number
}

const TEN_MINUTES_MS = 600_000

/** Runs the steps, `width` at a time, prints a line for each as it ends, and returns the outcomes in the order given. */
export async function runSteps(steps: readonly Step[], width: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = steps.entries()
  const worker = async (): Promise<void> => {
    for (const [at, step] of waiting) {
      const outcome = await runStep(step)
      outcomes[at] = outcome
      announce(outcome)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return outcomes
}

async function runStep({ name, work }: Step): Promise<Outcome> {
  const begun = performance.now()
  const result = typeof work === 'function' ? await runFunction(work) : await runCommand(work)
  return { name, ...result, tookMs: performance.now() - begun }
}

async function runFunction(work: () => Promise<string>): Promise<{ ok: boolean; output: string }> {
  try {
    return { ok: true, output: await work() }
  } catch (error) {
    return { ok: false, output: error instanceof Error ? error.message : String(error) }
  }
}

/** Runs one command to its end. A program that cannot be started counts as failed and says why. */
export function runCommand(command: Command): Promise<{ ok: boolean; output: string }> {
  const [program, ...args] = command.argv
  const output: string[] = []
  const child = spawn(program, args, {
    cwd: join(ROOT, command.folder ?? '.'),
    env: { ...process.env, ...command.env, PATH: toolPath() },
    stdio: command.live === true ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const forget = track(child.pid)
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  const limitMs = command.timeoutMs ?? TEN_MINUTES_MS
  const timer = setTimeout(() => {
    output.push(`ended after ${limitMs / 1000} s: too slow\n`)
    endGroup(child.pid)
  }, limitMs)
  return new Promise((done) => {
    const finish = (ok: boolean): void => {
      clearTimeout(timer)
      forget()
      done({ ok, output: output.join('') })
    }
    child.once('error', (error) => {
      output.push(`${program}: ${error.message}\n`)
      finish(false)
    })
    child.once('close', (code) => finish(code === 0))
  })
}

/** The repository's own Node and tools come before the machine's. */
function toolPath(): string {
  return [join(ROOT, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter)
}

/** Process groups of the commands that run now: each command leads its own, so that all it started ends with it. */
const groups = new Set<number>()

function endEverything(signal: NodeJS.Signals): void {
  for (const group of groups) endGroup(group)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/** Ctrl+C in a terminal does not reach other process groups, so it is passed on. */
function track(group: number | undefined): () => void {
  if (group === undefined) return () => undefined
  if (groups.size === 0) process.on('SIGINT', endEverything).on('SIGTERM', endEverything)
  groups.add(group)
  return () => {
    groups.delete(group)
    if (groups.size === 0) process.off('SIGINT', endEverything).off('SIGTERM', endEverything)
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group may have ended between the decision and the signal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function announce({ name, ok, output, tookMs }: Outcome): void {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(18)} ${(tookMs / 1000).toFixed(1).padStart(6)} s`)
  if (!ok && output !== '') console.log(output.trimEnd().replaceAll(/^/gm, '     '))
}
