import type { Clock } from '@godwit/base'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { SettingGroup, SettingScope, SettingSpec } from '../../kernel/setting.ts'
import { validInput } from '../../kernel/valid-input.ts'
import { mayChange, placesOf, takesScope, type SettingChanger, type SettingTarget } from './settings.policy.ts'
import type { SettingHistoryRow, SettingValueRow } from './settings.schema.ts'
import { resolve } from './settings.service.ts'
import { settingsStore, type SettingPlace } from './settings.store.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** A setting has another value somewhere. The values are in its history. */
    readonly 'setting.changed': {
      readonly key: string
      readonly scope: SettingScope
      readonly scopeId: string
      readonly at: number
      readonly by: string
      readonly door: SettingDoor
    }
  }
}

export type SettingDoor = 'command-line' | 'http'

/** A declared setting. */
export interface RegisteredSetting extends SettingSpec {
  readonly key: string
  readonly group: SettingGroup
  readonly byDefault: unknown
}

/** Every setting that the features declare, by key. Commands, the documentation and the console read it. */
export type SettingRegistry = ReadonlyMap<string, RegisteredSetting>

/** @throws Error when two features declare the same key */
export function settingRegistry(groups: readonly SettingGroup[]): SettingRegistry {
  const registry = new Map<string, RegisteredSetting>()
  for (const group of groups) {
    for (const [key, spec] of Object.entries(group.specs)) {
      if (registry.has(key)) throw new Error(`two features declare the setting ${key}`)
      registry.set(key, { ...spec, key, group, byDefault: spec.schema.parse(undefined) })
    }
  }
  return registry
}

export interface SettingsEditorDeps {
  readonly db: Db
  readonly dialect: DialectName
  readonly clock: Clock
  readonly ids: Ids
  readonly registry: SettingRegistry
}

export interface SettingView {
  readonly key: string
  readonly value: unknown
  /** Whose value it is; `default` when nobody set one. */
  readonly source: SettingScope | 'default'
}

export interface SettingChange {
  /** The narrowest place of it gets the value. */
  readonly target: SettingTarget
  readonly by: SettingChanger
  readonly door: SettingDoor
}

export interface WantedValue {
  readonly key: string
  /** Null takes the value away. */
  readonly value: unknown
  /** The value that the change began with; another one in force is a conflict. */
  readonly from?: unknown
}

export interface ChangedSetting {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/** Writes down elsewhere what changed, in the transaction of the change. */
export type RecordSettings = (tx: Tx, changed: readonly ChangedSetting[]) => Promise<void>

/** Changes settings by their keys, and keeps who did it. */
export interface SettingsEditor {
  list(target?: SettingTarget): Promise<SettingView[]>
  /**
   * @param value as typed on a command line, or as JSON has it
   * @returns the value in force
   * @throws AppError PARAMETER_INVALID with the rule, PERMISSION_DENIED, and what the group demands
   */
  set(key: string, value: unknown, change: SettingChange): Promise<unknown>
  /** Back to the value of the next wider place, or the default. @throws as {@link set} */
  reset(key: string, change: SettingChange): Promise<unknown>
  /** Several at once, all or none. @throws as {@link set}; EDIT_CONFLICT */
  setAll(changes: readonly WantedValue[], change: SettingChange, record?: RecordSettings): Promise<void>
  /** Newest first. @param key undefined: of all settings */
  history(key?: string, limit?: number): Promise<SettingHistoryRow[]>
}

const HISTORY_MAX = 200
const IGNORE_BROKEN = (): void => undefined

export function createSettingsEditor(deps: SettingsEditorDeps): SettingsEditor {
  const { db, registry } = deps
  return {
    async list(target = {}) {
      const rows = await settingsStore.at(db, placesOf(target))
      return [...registry.values()].map((setting) => viewOf(setting, rows, target))
    },
    set: async (key, value, change) => (await write(deps, [wantedOf(registry, { key, value })], change))[key],
    reset: async (key, change) => (await write(deps, [wantedOf(registry, { key, value: null })], change))[key],
    async setAll(changes, change, record) {
      await write(
        deps,
        changes.map((each) => wantedOf(registry, each)),
        change,
        record,
      )
    },
    history: (key, limit = HISTORY_MAX) => settingsStore.history(db, key, Math.min(limit, HISTORY_MAX)),
  }
}

/** @throws AppError PARAMETER_INVALID with the rule, or the code that the rule has of its own */
function wantedOf(registry: SettingRegistry, { key, value, from }: WantedValue): Wanted {
  const setting = requireSetting(registry, key)
  if (value === null) return { setting, value, from }
  return { setting, value: JSON.stringify(validInput(setting.schema, value, key)), from }
}

/** @throws AppError PARAMETER_INVALID */
function requireSetting(registry: SettingRegistry, key: string): RegisteredSetting {
  const setting = registry.get(key)
  if (setting === undefined) throw new AppError('PARAMETER_INVALID', { field: 'key', rule: 'must name a setting' })
  return setting
}

function viewOf(setting: RegisteredSetting, rows: readonly SettingValueRow[], target: SettingTarget): SettingView {
  const { key, group } = setting
  const value = resolve({ group, rows, target }, IGNORE_BROKEN)[key]
  const isSet = ({ scope, scopeId }: SettingPlace) =>
    takesScope(setting, scope) &&
    rows.some(
      (row) =>
        row.name === key &&
        row.scope === scope &&
        row.scope_id === scopeId &&
        setting.schema.safeParse(JSON.parse(row.value)).success,
    )
  return { key, value, source: placesOf(target).find(isSet)?.scope ?? 'default' }
}

interface Wanted {
  readonly setting: RegisteredSetting
  /** JSON; null takes the value away. */
  readonly value: string | null
  /** The value in force that the change began with. */
  readonly from?: unknown
}

/** The values, their history and their events commit together. @returns the values in force, by key */
async function write(
  deps: SettingsEditorDeps,
  wanted: readonly Wanted[],
  { target, by, door }: SettingChange,
  record?: RecordSettings,
): Promise<Readonly<Record<string, unknown>>> {
  const place = placesOf(target)[0] ?? { scope: 'site', scopeId: '' }
  for (const { setting } of wanted) requireChange(setting, place, by)
  const groups = [...new Set(wanted.map(({ setting: { group } }) => group))]
  const isWanted = ({ name, scope, scope_id: scopeId }: SettingValueRow) =>
    scope === place.scope && scopeId === place.scopeId && wanted.some(({ setting: { key } }) => key === name)
  return inTransaction(deps.db, async (tx) => {
    const stored = await settingsStore.lock(
      tx,
      deps.dialect,
      groups.flatMap(({ specs }) => Object.keys(specs)),
    )
    const valuesWith = (rows: readonly SettingValueRow[]): Readonly<Record<string, unknown>> =>
      Object.fromEntries(groups.flatMap((group) => Object.entries(resolve({ group, rows, target }, IGNORE_BROKEN))))
    const before = valuesWith(stored)
    requireUnchanged(wanted, before)
    const at = { scope: place.scope, scope_id: place.scopeId }
    const rows = wanted.flatMap(({ setting: { key }, value }) => (value === null ? [] : [{ name: key, ...at, value }]))
    const all = [...stored.filter((row) => !isWanted(row)), ...rows]
    for (const group of groups) group.check?.(resolve({ group, rows: all, target }, IGNORE_BROKEN))
    const after = valuesWith(all)
    const changed: ChangedSetting[] = []
    for (const { setting, value } of wanted) {
      const { key } = setting
      const old = stored.find((row) => row.name === key && isWanted(row))?.value ?? null
      if (old === value) continue
      if (value === null) await settingsStore.remove(tx, { name: key, ...at })
      else await settingsStore.put(tx, { name: key, ...at, value })
      await note(deps, tx, { key, place, by, door, old, value })
      changed.push({ key, before: before[key], after: after[key] })
    }
    await record?.(tx, changed)
    return after
  })
}

/** @throws AppError PARAMETER_INVALID, PERMISSION_DENIED */
function requireChange(setting: RegisteredSetting, place: SettingPlace, by: SettingChanger): void {
  const { key, scope } = setting
  if (!takesScope(setting, place.scope)) {
    throw new AppError('PARAMETER_INVALID', { field: 'scope', rule: `${key} is set for the ${scope} at most` })
  }
  if (!mayChange(setting, place, by)) throw new AppError('PERMISSION_DENIED', { setting: key })
}

/** @throws AppError EDIT_CONFLICT with the values of now */
function requireUnchanged(wanted: readonly Wanted[], values: Readonly<Record<string, unknown>>): void {
  const other = wanted.filter(({ setting, from }) => from !== undefined && from !== values[setting.key])
  if (other.length === 0) return
  const changed = Object.fromEntries(other.map(({ setting: { key } }) => [key, values[key]]))
  throw new AppError('EDIT_CONFLICT', { changed })
}

interface Noting extends Pick<SettingChange, 'by' | 'door'> {
  readonly key: string
  readonly place: SettingPlace
  /** JSON; null where there is no value of its own. */
  readonly old: string | null
  readonly value: string | null
}

async function note({ clock, ids }: SettingsEditorDeps, tx: Tx, noting: Noting): Promise<void> {
  const { key, place, by, door, old, value } = noting
  const at = clock.now()
  const byId = by.kind === 'operator' ? '' : by.id
  await settingsStore.note(tx, {
    ...{ id: ids.next(), name: key, scope: place.scope, scope_id: place.scopeId, at, door },
    ...{ by_kind: by.kind, by_id: byId, old_value: old, new_value: value },
  })
  await recordEvent({ tx, clock }, 'setting.changed', { key, ...place, at, by: byId || by.kind, door })
}
