import { createPrograms } from '../foundation/programs/index.ts'
import { hooksStore, listDeliveries, listHooks, tryHook } from '../oversight/hooks/index.ts'
import { foldCase } from '../identity/users/index.ts'
import { openKernel } from '../kernel/kernel.ts'
import { createOutbound } from '../kernel/outbound/index.ts'
import { oneLine } from '../kernel/plain-text.ts'
import type { Database, Db } from '../kernel/db/index.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const SHOWN = 50

const list: Command = {
  name: 'hook list',
  summary: 'List event hooks: webhooks and programs, how they stand and what waits',
  positionals: [],
  options: {},
  examples: ['godwit hook list', 'godwit hook list --json'],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const { rows, programs } = await listHooks(depsOf(call, database))
      const lines = rows.map(({ name, kind, state, url, program, commandLine, waiting, failed }) => {
        const target = kind === 'program' ? `${program} ${commandLine}`.trimEnd() : url
        return `${name.padEnd(24)}  ${state.padEnd(11)}  ${String(waiting).padStart(5)} waiting  ${String(failed).padStart(5)} given up  ${oneLine(target)}`
      })
      call.show({ hooks: rows, programs }, lines.join('\n') || 'There is no event hook yet.')
      return EXIT.ok
    }),
}

const test: Command = {
  name: 'hook test',
  summary: 'Send the event hook.test to a hook once, now, and say how it went',
  positionals: ['NAME'],
  options: {},
  examples: ['godwit hook test archive'],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const hook = await hookOf(database.db, call.positionals[0] ?? '')
      const tested = await tryHook(depsOf(call, database), hook.id, new AbortController().signal)
      const { isDelivered, status, reason, answer, ms } = tested
      const result = status === null ? String(reason) : `${hook.kind === 'program' ? 'exit code' : 'status'} ${status}`
      const head = isDelivered ? `${hook.name} took the test` : `${hook.name} failed`
      call.show(tested, `${head}: ${result} after ${ms} ms.${answer === '' ? '' : `\n${answer}`}`)
      return isDelivered ? EXIT.ok : EXIT.problems
    }),
}

const log: Command = {
  name: 'hook log',
  summary: 'Show the last deliveries of a hook, the newest first',
  positionals: ['NAME'],
  options: {},
  examples: ['godwit hook log archive', 'godwit hook log archive --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const { id } = await hookOf(db, call.positionals[0] ?? '')
      const { rows } = await listDeliveries(db, id, { page: 1, size: SHOWN })
      const lines = rows.map(({ createdAt, event, state, attempts, status, reason, answer }) => {
        const result = status === null ? (reason ?? '-') : String(status)
        const head = `${new Date(createdAt).toISOString()}  ${event.padEnd(20)}  ${state.padEnd(9)}`
        return `${head}  ${String(attempts).padStart(2)} tries  ${result.padEnd(8)}  ${oneLine(answer)}`.trimEnd()
      })
      call.show(rows, lines.join('\n') || 'Nothing was sent to it yet.')
      return EXIT.ok
    }),
}

export const HOOK_COMMANDS: readonly Command[] = [list, test, log]

/** @throws CommandFailure when no hook has this name */
async function hookOf(db: Db, name: string) {
  const found = (await hooksStore.all(db)).find(({ name_key: key }) => key === foldCase(name))
  if (found === undefined) throw new CommandFailure(EXIT.notFound, `There is no event hook ${name}.`)
  return found
}

function depsOf({ io, loaded: { config } }: Invocation, database: Database) {
  const kernel = openKernel({ config, database, clock: io.clock, random: io.random, log: SILENT })
  const outbound = createOutbound(config['outbound.allow'])
  return { ...kernel, outbound, programs: createPrograms(config['hooks.folder']) }
}
