import { listParked, listSubscribers, retryParked } from '../kernel/events/index.ts'
import { oneLine } from '../kernel/plain-text.ts'
import { misused, textOf } from './arguments.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const list: Command = {
  name: 'events list',
  summary: 'List who reacts to events: how far behind, failed tries of the next event, parked events',
  positionals: [],
  options: {},
  examples: ['godwit events list', 'godwit events list --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const rows = await listSubscribers(db)
      const lines = rows.map(({ name, behind, attempts, parked, error }) =>
        [
          `${name.padEnd(32)}  ${String(behind).padStart(8)} behind  ${String(attempts).padStart(2)} tries`,
          `  ${String(parked).padStart(6)} parked  ${oneLine(error)}`,
        ]
          .join('')
          .trimEnd(),
      )
      call.show(rows, lines.join('\n') || 'No server has been started with this database yet.')
      return EXIT.ok
    }),
}

const parked: Command = {
  name: 'events parked',
  summary: 'List events that somebody failed to handle, with the reason',
  positionals: [],
  options: {},
  examples: ['godwit events parked', 'godwit events parked --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const rows = await listParked(db)
      const lines = rows.map(
        ({ subscriber, position, type, attempts, parkedAt, error }) =>
          `${new Date(parkedAt).toISOString()}  ${subscriber}  ${position}  ${type}  ${attempts} tries  ${oneLine(error)}`,
      )
      call.show(rows, lines.join('\n') || 'No event is parked.')
      return EXIT.ok
    }),
}

const retry: Command = {
  name: 'events retry',
  summary: 'Have parked events tried again by the running server: all, those of a subscriber, or one of them',
  positionals: [],
  options: {
    subscriber: { type: 'string', summary: 'Only those of this one', value: 'NAME' },
    event: { type: 'string', summary: 'Only this one, by its number', value: 'NUMBER' },
  },
  examples: ['godwit events retry', 'godwit events retry --subscriber notices.new-address --event 4711'],
  run: async (call) => {
    const subscriber = textOf(call, 'subscriber')
    const position = textOf(call, 'event')
    if (position !== undefined && !/^\d{1,15}$/.test(position)) return misused(call, 'an event is given by its number')
    return withDatabase(call, async ({ db }) => {
      const which = {
        ...(subscriber === undefined ? {} : { subscriber }),
        ...(position === undefined ? {} : { position: Number(position) }),
      }
      const count = await retryParked(db, which)
      call.show({ retried: count }, `${count} parked events will be tried again.`)
      return count === 0 && (subscriber ?? position) !== undefined ? EXIT.notFound : EXIT.ok
    })
  },
}

export const EVENTS_COMMANDS: readonly Command[] = [list, parked, retry]
