import type { Clock } from '@godwit/base'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { SettingGroup, SettingScope, SettingSpec } from '../../kernel/setting.ts'
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
    async set(key, value, change) {
      const setting = requireSetting(registry, key)
      const parsed = setting.schema.safeParse(value)
      if (!parsed.success) {
        throw new AppError('PARAMETER_INVALID', { field: key, rule: parsed.error.issues[0]?.message ?? '' })
      }
      return write(deps, setting, { ...change, value: JSON.stringify(parsed.data) })
    },
    reset: async (key, change) => write(deps, requireSetting(registry, key), { ...change, value: null }),
    history: (key, limit = HISTORY_MAX) => settingsStore.history(db, key, Math.min(limit, HISTORY_MAX)),
  }
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

interface Writing extends SettingChange {
  /** JSON; null takes the value away. */
  readonly value: string | null
}

/** The value, its history and its event commit together. */
async function write(deps: SettingsEditorDeps, setting: RegisteredSetting, writing: Writing): Promise<unknown> {
  const { key, group } = setting
  const { target, by, value } = writing
  const place = placesOf(target)[0] ?? { scope: 'site', scopeId: '' }
  if (!takesScope(setting, place.scope)) {
    throw new AppError('PARAMETER_INVALID', { field: 'scope', rule: `${key} is set for the ${setting.scope} at most` })
  }
  if (!mayChange(setting, place, by)) throw new AppError('PERMISSION_DENIED', { setting: key })
  return inTransaction(deps.db, async (tx) => {
    const stored = await settingsStore.lock(tx, deps.dialect, Object.keys(group.specs))
    const isHere = (row: SettingValueRow) =>
      row.name === key && row.scope === place.scope && row.scope_id === place.scopeId
    const old = stored.find(isHere)?.value ?? null
    const row = { name: key, scope: place.scope, scope_id: place.scopeId }
    const rows = [...stored.filter((other) => !isHere(other)), ...(value === null ? [] : [{ ...row, value }])]
    const values = resolve({ group, rows, target }, IGNORE_BROKEN)
    group.check?.(values)
    if (old === value) return values[key]
    if (value === null) await settingsStore.remove(tx, row)
    else await settingsStore.put(tx, { ...row, value })
    await note(deps, tx, { ...writing, key, place, old })
    return values[key]
  })
}

interface Noting extends Writing {
  readonly key: string
  readonly place: SettingPlace
  readonly old: string | null
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
