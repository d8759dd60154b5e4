#!/usr/bin/env -S node --max-semi-space-size=4 --single-threaded-gc
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { TransferError } from '../errors/transfer-error.ts'
import { EXIT, parseCommand, UsageError } from './arguments.ts'
import { HELP } from './help.ts'
import { createOutput } from './output.ts'

/**
 * The program `gwt`. Each command loads only what it needs. The first line bounds what Node keeps for new objects: by
 * default 96 MiB, for garbage that is gone a moment later.
 */
async function main(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words
  if (command === 'sim') return (await import('./sim.command.ts')).simulate(rest)
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    console.log(HELP)
    return command === undefined ? EXIT.usage : EXIT.done
  }
  const { values, positionals } = parseCommand(rest)
  if (values.help === true) {
    console.log(HELP)
    return EXIT.done
  }
  const output = createOutput(values.json === true)
  if (command === 'send') return (await import('./send.command.ts')).send(positionals, values, output)
  if (command === 'recv') return (await import('./recv.command.ts')).receive(positionals, values, output)
  if (command === 'bench') return (await import('./bench.command.ts')).bench(values, output)
  throw new UsageError(`unknown command: ${command}`)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (!(error instanceof TransferError)) return EXIT.failed
  if (error.code === 'PEER_REFUSED') return EXIT.refused
  if (error.code === 'FILTER_INVALID' || error.code === 'SCHEDULE_INVALID') return EXIT.usage
  return error.code === 'PEER_LOST' ? EXIT.lost : EXIT.failed
}

// Compiled code is kept for the next start: it begins sooner, and its threads need 15 MiB less each. A folder of the user's
// own, since whoever writes into it decides what this program does. Where none can be made, nothing is kept.
enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gwt'))
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const text = error instanceof Error ? error.message : 'unknown error'
  const hint = error instanceof UsageError ? '\nSee gwt --help.' : ''
  if (process.argv.includes('--json')) console.log(JSON.stringify({ event: 'error', message: text }))
  else console.error(`gwt: ${text}${hint}`)
  process.exitCode = exitCodeOf(error)
}
