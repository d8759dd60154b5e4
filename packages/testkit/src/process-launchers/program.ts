import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that a test started and can look into, stop and kill. */
export interface Program {
  readonly pid: number
  /** Everything it wrote so far, both streams in order of arrival; at most the last MiB, from the beginning of a line. */
  output(): string
  /** How it ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<Ending>
  /** Sends the signal and waits for the end. A program that has ended already is left alone. */
  end(signal: NodeJS.Signals): Promise<Ending>
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface LaunchOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Polled until it returns true; receives what the program has written so far. */
  readonly isReady: (output: string) => boolean | Promise<boolean>
  /** Default 30,000. */
  readonly timeoutMs?: number
}

const KEPT_OUTPUT = 2 ** 20
const SETPRIV = '/usr/bin/setpriv'

/**
 * Starts a program and waits until it is ready. On Linux it dies with the process that started it, even when that is killed.
 * @throws Error with its output when it ends early or is not ready in time
 */
export async function launch(argv: readonly [string, ...string[]], options: LaunchOptions): Promise<Program> {
  const program = start(argv, options)
  const limit = AbortSignal.timeout(options.timeoutMs ?? 30_000)
  let ending: Ending | undefined
  void program.ended.then((end) => (ending = end))
  while (!(await options.isReady(program.output()))) {
    if (ending !== undefined || limit.aborted) {
      await program.end('SIGKILL')
      const why = limit.aborted ? 'is not ready in time' : `ended with ${ending?.code ?? ending?.signal}`
      throw new Error(`${argv[0]} ${why}:\n${program.output()}`)
    }
    await sleep(25)
  }
  return program
}

/** Runs a program to its end. @throws Error with its output unless it exits with 0 */
export async function run(
  argv: readonly [string, ...string[]],
  options: Omit<LaunchOptions, 'isReady'> = {},
): Promise<string> {
  const program = start(argv, options)
  const limit = setTimeout(() => void program.end('SIGKILL'), options.timeoutMs ?? 60_000)
  const { code, signal } = await program.ended
  clearTimeout(limit)
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code ?? signal}:\n${program.output()}`)
  return program.output()
}

function start(argv: readonly [string, ...string[]], { cwd, env }: Omit<LaunchOptions, 'isReady'>): Program {
  const [command, ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--', ...argv] : argv
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: withSystemPrograms(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
    if (output.length > KEPT_OUTPUT) output = output.slice(output.indexOf('\n', output.length - KEPT_OUTPUT) + 1)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<Ending>((done) => {
    child.once('error', (error) => {
      keep(Buffer.from(error.message))
      done({ code: 127, signal: null })
    })
    child.once('close', (code, signal) => done({ code, signal }))
  })
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}

/** Debian keeps servers in folders that only root has in its path. */
function withSystemPrograms(): string {
  return `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`
}
