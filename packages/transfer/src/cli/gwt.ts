import { readFileSync } from 'node:fs'
import { systemClock } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import { EXIT, parseBench, parseRecv, parseSend, UsageError } from './arguments.ts'
import { HELP, helpOf, manual } from './help.ts'
import { createOutput, endWhenUnread, escaped, toJsonLine } from './output.ts'

/** The program `gwt`, started by bin/gwt.js. Each command loads only what it needs. */
async function main(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words
  if (command === 'sim') return (await import('./sim.command.ts')).simulate(rest)
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    console.log((rest[0] === undefined ? undefined : helpOf(rest[0])) ?? HELP)
    return command === undefined ? EXIT.usage : EXIT.done
  }
  if (command === '--version' || command === '-V') {
    console.log(`gwt ${version()}`)
    return EXIT.done
  }
  if (command === 'man') {
    console.log(manual(version(), new Date(systemClock.now())))
    return EXIT.done
  }
  const help = helpOf(command)
  if (help === undefined) throw new UsageError(`unknown command: ${command}`)
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(help)
    return EXIT.done
  }
  return perform(command, rest)
}

async function perform(command: string, words: readonly string[]): Promise<number> {
  if (command === 'send') {
    const { values, positionals } = parseSend(words)
    return (await import('./send.command.ts')).send(positionals, values, createOutput({ json: values.json === true }))
  }
  if (command === 'recv') {
    const { values, positionals } = parseRecv(words)
    const output = createOutput({ json: values.json === true, isStdoutTaken: positionals[0] === '-' })
    return (await import('./recv.command.ts')).receive(positionals, values, output)
  }
  const { values } = parseBench(words)
  return (await import('./bench.command.ts')).bench(values, createOutput({ json: values.json === true }))
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (!(error instanceof TransferError)) return EXIT.failed
  if (error.code === 'PEER_REFUSED') return EXIT.refused
  if (error.code === 'FILTER_INVALID' || error.code === 'SCHEDULE_INVALID') return EXIT.usage
  return error.code === 'PEER_LOST' ? EXIT.lost : EXIT.failed
}

endWhenUnread()

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const text = error instanceof Error ? error.message : 'unknown error'
  const code = error instanceof TransferError ? { code: error.code } : {}
  if (process.argv.includes('--json')) console.log(toJsonLine({ event: 'error', ...code, message: text }))
  // The reason may be text from the peer.
  else console.error(`gwt: ${escaped(text)}${error instanceof UsageError ? '\nSee gwt --help.' : ''}`)
  process.exitCode = exitCodeOf(error)
}
