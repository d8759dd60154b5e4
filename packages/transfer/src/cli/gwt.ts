import { TransferError } from '../errors/transfer-error.ts'
import { EXIT, parseCommand, UsageError } from './arguments.ts'
import { HELP } from './help.ts'
import { createOutput } from './output.ts'

/** The program `gwt`, started by bin/gwt.js. Each command loads only what it needs. */
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

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const text = error instanceof Error ? error.message : 'unknown error'
  const hint = error instanceof UsageError ? '\nSee gwt --help.' : ''
  const code = error instanceof TransferError ? { code: error.code } : {}
  if (process.argv.includes('--json')) console.log(JSON.stringify({ event: 'error', ...code, message: text }))
  else console.error(`gwt: ${text}${hint}`)
  process.exitCode = exitCodeOf(error)
}
