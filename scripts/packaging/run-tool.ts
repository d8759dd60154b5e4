import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const runProgram = promisify(execFile)

/** Runs a program of the system to its end. @returns what it printed. @throws Error with that when it fails */
export async function runTool(program: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const options = { maxBuffer: 1 << 26, ...(env === undefined ? {} : { env }) }
  const { stdout, stderr } = await runProgram(program, [...words], options)
  return stdout + stderr
}
