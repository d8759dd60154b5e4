import os from 'node:os'
import { createSettings } from '../foundation/settings/index.ts'
import { collectorOf, reasonOf, syslogState, tryCollector } from '../oversight/syslog/index.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'
import type { Db } from '../kernel/db/index.ts'

const test: Command = {
  name: 'syslog test',
  summary: 'Send one message to the syslog collector of the settings',
  positionals: [],
  options: {},
  examples: ['godwit syslog test'],
  run: (call) =>
    withDatabase(call, async ({ db }) => {
      const collector = await collectorOf({ settings: settingsOf(call, db) })
      if (collector === undefined) {
        call.show({ sent: false }, 'Nothing is sent: set syslog.transport and syslog.host first.')
        return EXIT.problems
      }
      const { transport, host, port } = collector
      try {
        await tryCollector({ clock: call.io.clock, host: os.hostname() }, collector, call.io.signal)
        call.show({ sent: true, transport, host, port }, `${host}:${port} took a message over ${transport}.`)
        return EXIT.ok
      } catch (thrown) {
        const error = reasonOf(thrown)
        call.show({ sent: false, transport, host, port, error }, `${host}:${port} did not take it: ${error}`)
        return EXIT.problems
      }
    }),
}

const show: Command = {
  name: 'syslog show',
  summary: 'Show which logs are sent, how many records wait and what keeps them',
  positionals: [],
  options: {},
  examples: ['godwit syslog show', 'godwit syslog show --json'],
  run: (call) =>
    withDatabase(call, async ({ db }) => {
      const states = await syslogState({ db })
      const lines = states.map(({ log, waiting, error }) => `${log.padEnd(12)}  ${waiting} waiting  ${error}`)
      call.show(states, lines.length === 0 ? 'Nothing is sent.' : lines.join('\n'))
      return EXIT.ok
    }),
}

export const SYSLOG_COMMANDS: readonly Command[] = [test, show]

function settingsOf(call: Invocation, db: Db) {
  return createSettings({ db, clock: call.io.clock, log: { warn: () => undefined } })
}
