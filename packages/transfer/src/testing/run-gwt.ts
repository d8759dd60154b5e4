import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { TEST_CODE } from './programs.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/gwt.js')

export interface GwtRun {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface GwtRunOptions {
  /** What standard input carries; nothing and its end when absent. */
  readonly input?: Uint8Array
  /** Options of Node. */
  readonly node?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Called with all that standard error has brought so far. */
  onStderr?(text: string): void
}

/** Runs gwt to its end, as a person does: without --json. */
export async function runGwt(words: readonly string[], options: GwtRunOptions = {}): Promise<GwtRun> {
  const child = spawn(process.execPath, [...(options.node ?? []), PROGRAM, ...words], {
    env: { ...process.env, GWT_CODE: TEST_CODE, ...options.env },
  })
  const [stdout, stderr] = [[] as Buffer[], [] as Buffer[]]
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => {
    stderr.push(bytes)
    options.onStderr?.(Buffer.concat(stderr).toString())
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
}
