import { settingText } from '@godwit/i18n/setting-texts'
import type { SettingTarget } from '../foundation/settings/index.ts'
import { foldCase, usersStore } from '../identity/users/index.ts'
import type { Db } from '../kernel/db/index.ts'
import { textOf } from './arguments.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation, OptionSpec } from './command.types.ts'
import { editableSettings, type EditableSettings } from './declared-settings.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withNewDatabase } from './installation.ts'
import { nearest } from '../kernel/config/index.ts'

const TARGET_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  account: { type: 'string', summary: 'The value of this account' },
  group: { type: 'string', summary: 'The value of the group with this id' },
  space: { type: 'string', summary: 'The value of the space with this id' },
}
const DOOR = { by: { kind: 'operator' }, door: 'command-line' } as const

const list: Command = {
  name: 'settings list',
  summary: 'Show every setting with its value and the place that decides it',
  positionals: [],
  options: TARGET_OPTIONS,
  examples: ['godwit settings list', 'godwit settings list --account mei --json'],
  run: async (call) =>
    withSettings(call, async ({ registry, editor }, target) => {
      const rows = (await editor.list(target)).map(({ key, value, source }) => ({
        ...{ key, value, source, scope: registry.get(key)?.scope, restart: registry.get(key)?.restart },
        summary: settingText('en-US', key),
      }))
      const lines = rows.map(
        ({ key, value, source, summary }) =>
          `${key.padEnd(30)}  ${String(value).padEnd(20)}  ${source.padEnd(7)}  ${summary}`,
      )
      call.show(rows, lines.join('\n'))
      return EXIT.ok
    }),
}

const get: Command = {
  name: 'settings get',
  summary: 'Show the value of one setting',
  positionals: ['KEY'],
  options: TARGET_OPTIONS,
  examples: ['godwit settings get primaryColor'],
  run: async (call) =>
    withSettings(call, async (settings, target) => {
      const key = requireKey(settings, call.positionals[0])
      const view = (await settings.editor.list(target)).find((setting) => setting.key === key)
      call.show(view, String(view?.value))
      return EXIT.ok
    }),
}

const set: Command = {
  name: 'settings set',
  summary: 'Change a setting of the site, a space, a group or an account. A running server follows within a second',
  positionals: ['KEY', 'VALUE'],
  options: TARGET_OPTIONS,
  examples: ['godwit settings set primaryColor #0B6E4F', 'godwit settings set menu.space.switch on'],
  run: async (call) =>
    withSettings(call, async (settings, target) => {
      const key = requireKey(settings, call.positionals[0])
      const value = await settings.editor.set(key, call.positionals[1], { ...DOOR, target })
      call.show({ key, value }, `${key} is now ${String(value)}.${restartNote(settings, key)}`)
      return EXIT.ok
    }),
}

const reset: Command = {
  name: 'settings reset',
  summary: 'Take a value away: the next wider place decides again, or the default',
  positionals: ['KEY'],
  options: TARGET_OPTIONS,
  examples: ['godwit settings reset primaryColor'],
  run: async (call) =>
    withSettings(call, async (settings, target) => {
      const key = requireKey(settings, call.positionals[0])
      const value = await settings.editor.reset(key, { ...DOOR, target })
      call.show({ key, value }, `${key} is ${String(value)} again.${restartNote(settings, key)}`)
      return EXIT.ok
    }),
}

const history: Command = {
  name: 'settings history',
  summary: 'Show who changed settings, when, and from what to what; the newest first',
  positionals: [],
  options: { key: { type: 'string', summary: 'Only this setting' } },
  examples: ['godwit settings history', 'godwit settings history --key primaryColor'],
  run: async (call) =>
    withSettings(call, async (settings) => {
      const wanted = textOf(call, 'key')
      const rows = await settings.editor.history(wanted === undefined ? undefined : requireKey(settings, wanted))
      const shown = rows.map((row) => ({
        ...{ at: new Date(row.at).toISOString(), key: row.name, scope: row.scope, scopeId: row.scope_id },
        ...{ by: row.by_id || row.by_kind, door: row.door },
        from: valueOf(row.old_value),
        to: valueOf(row.new_value),
      }))
      const lines = shown.map(
        ({ at, key, scope, scopeId, by, from, to }) =>
          `${at}  ${key}  ${scope}${scopeId === '' ? '' : ` ${scopeId}`}  ${by}  ${textOfValue(from)} -> ${textOfValue(to)}`,
      )
      call.show(shown, lines.join('\n'))
      return EXIT.ok
    }),
}

export const SETTINGS_COMMANDS: readonly Command[] = [list, get, set, reset, history]

async function withSettings(
  call: Invocation,
  work: (settings: EditableSettings, target: SettingTarget) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withNewDatabase(call, async (database) =>
    work(editableSettings(call, database), await targetOf(call, database.db)),
  )
}

/** @throws CommandFailure for an account that does not exist, and for ids that are no numbers */
async function targetOf(call: Invocation, db: Db): Promise<SettingTarget> {
  const account = textOf(call, 'account')
  const user = account === undefined ? undefined : await usersStore.byAccountOrEmail(db, foldCase(account))
  if (account !== undefined && user === undefined) {
    throw new CommandFailure(EXIT.notFound, `there is no account '${account}'`)
  }
  return {
    ...idOption(call, 'space', 'spaceId'),
    ...idOption(call, 'group', 'groupId'),
    ...(user === undefined ? {} : { userId: user.id }),
  }
}

function idOption<Name extends string>(
  call: Invocation,
  option: string,
  name: Name,
): { readonly [Key in Name]?: number } {
  const text = textOf(call, option)
  if (text === undefined) return {}
  if (!/^\d{1,9}$/.test(text)) throw new CommandFailure(EXIT.usage, `--${option} takes a number, not '${text}'`)
  return { [name]: Number(text) } as { readonly [Key in Name]?: number }
}

/** @throws CommandFailure with the nearest key there is */
function requireKey({ registry }: EditableSettings, key = ''): string {
  if (registry.has(key)) return key
  const guess = nearest(key, [...registry.keys()])
  const hint = guess === undefined ? 'See godwit settings list.' : `Did you mean ${guess}?`
  throw new CommandFailure(EXIT.usage, `there is no setting '${key}'. ${hint}`)
}

function restartNote({ registry }: EditableSettings, key: string): string {
  return registry.get(key)?.restart === true ? ' It takes effect with the next start.' : ''
}

function valueOf(json: string | null): unknown {
  return json === null ? undefined : JSON.parse(json)
}

function textOfValue(value: unknown): string {
  if (value === undefined) return '(default)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
