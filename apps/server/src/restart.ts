import process from 'node:process'

/**
 * Starts the program anew in this same process: number, supervisor, terminal and open logs stay. What a supervisor would notice
 * is nothing, unless the new program cannot start; then it sees the exit code of that.
 * @returns only where the system has no such call
 */
export function restartProcess(): void {
  // An upgrade brings another Node to the same place; the options of the one that runs come along.
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)])
}
