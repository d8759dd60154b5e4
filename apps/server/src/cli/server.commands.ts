import { transfersSearch } from '../exchange/transfers/index.ts'
import { orderStop, serverStateStore, setPaused, type StopOrder } from '../foundation/server-state/index.ts'
import { inTransaction, type Database } from '../kernel/db/index.ts'
import { timeOrderedIds } from '../kernel/ids.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const WITHIN = 'Servers that run follow within a second.'

const show: Command = {
  name: 'server show',
  summary: 'Show whether the server is paused, and how many transfers run',
  positionals: [],
  options: {},
  examples: ['godwit server show', 'godwit server show --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const { paused_at: pausedAt } = await serverStateStore.read(db)
      const running = await transfersSearch.countRunning(db)
      const state = pausedAt === null ? 'not paused' : `paused since ${new Date(pausedAt).toISOString()}`
      call.show({ pausedAt, running }, `The server is ${state}; ${running} transfers run.`)
      return EXIT.ok
    }),
}

const pause: Command = {
  name: 'server pause',
  summary: 'Refuse new sign-ins, those of administrators excepted, and new transfers; what runs goes on',
  positionals: [],
  options: {},
  examples: ['godwit server pause'],
  run: (call) => change(call, true, `The server is paused. ${WITHIN}`),
}

const resume: Command = {
  name: 'server resume',
  summary: 'Take sign-ins and transfers again',
  positionals: [],
  options: {},
  examples: ['godwit server resume'],
  run: (call) => change(call, false, `The server takes sign-ins and transfers again. ${WITHIN}`),
}

const CONFIRM = {
  yes: { type: 'boolean', summary: 'Do it although transfers run; without it the command only says what would happen' },
} as const

const restart: Command = {
  name: 'server restart',
  summary: 'Start every running server anew, one after another; interrupted transfers resume',
  positionals: [],
  options: CONFIRM,
  examples: ['godwit server restart', 'godwit server restart --yes'],
  run: (call) => order(call, 'restart'),
}

const shutdown: Command = {
  name: 'server shutdown',
  summary: 'End every running server; a supervisor that always restarts it will start it again',
  positionals: [],
  options: CONFIRM,
  examples: ['godwit server shutdown', 'godwit server shutdown --yes'],
  run: (call) => order(call, 'shutdown'),
}

export const SERVER_COMMANDS: readonly Command[] = [show, pause, resume, restart, shutdown]

function change(call: Invocation, isPaused: boolean, text: string): Promise<ExitCode> {
  return withDatabase(call, async (database) => {
    const pausedAt = await inTransaction(database.db, (tx) => setPaused(depsOf(call, database), tx, isPaused))
    call.show({ pausedAt }, text)
    return EXIT.ok
  })
}

function order(call: Invocation, kind: StopOrder): Promise<ExitCode> {
  return withDatabase(call, async (database) => {
    const running = await transfersSearch.countRunning(database.db)
    const fate =
      kind === 'restart' ? 'are interrupted and resume by themselves' : 'are interrupted until the next start'
    if (running > 0 && call.options['yes'] !== true) {
      call.io.stderr(`godwit: ${running} transfers run; they ${fate}. Repeat the command with --yes.\n`)
      return EXIT.refused
    }
    await inTransaction(database.db, (tx) => orderStop(depsOf(call, database), tx, kind))
    call.show({ order: kind, running }, `Ordered: ${kind}. ${WITHIN}`)
    return EXIT.ok
  })
}

function depsOf({ io: { clock, random } }: Invocation, { dialect }: Database) {
  return { dialect, clock, ids: timeOrderedIds(clock, random) }
}
