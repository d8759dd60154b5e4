import type { ConsoleSetting, ConsoleSettingChange, ConsoleSettingChanged, SettingTab } from '@godwit/contract'
import { choiceText, settingText } from '@godwit/i18n/setting-texts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import {
  settingField,
  settingsStore,
  type RegisteredSetting,
  type SettingHistoryRow,
  type SettingRegistry,
  type Settings,
  type SettingsEditor,
  type SettingView,
} from '../../foundation/settings/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { isAdmitted, requireLists, SITE_ACCESS_SETTINGS } from '../../identity/site-access/index.ts'
import { usersSearch } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

export interface ConsoleSettingsDeps {
  readonly db: Db
  readonly settings: Pick<Settings, 'forget'>
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly editor: () => SettingsEditor & { readonly registry: SettingRegistry }
}

interface Changing {
  readonly ctx: UserCtx
  readonly record: RecordChange
  readonly tabs: readonly SettingTab[]
}

interface HistoryQuery {
  readonly page: number
  readonly size: number
  readonly text?: string | undefined
}

/** The settings of these tabs, in the order of the features that declare them. */
export async function listSettings(
  { editor }: ConsoleSettingsDeps,
  tabs: readonly SettingTab[],
): Promise<ConsoleSetting[]> {
  const { registry, list } = editor()
  return (await list()).flatMap((view) => {
    const setting = registry.get(view.key)
    return setting === undefined || !tabs.includes(setting.tab) ? [] : [present(setting, view)]
  })
}

/**
 * Changes settings of the site together; this node follows at once.
 * @throws AppError PARAMETER_INVALID naming the setting, PERMISSION_DENIED for one of the whole log, EDITION_FEATURE_MISSING, EDIT_CONFLICT with the values of now and who set them
 */
export async function changeSettings(
  { db, editor, settings, licence }: ConsoleSettingsDeps,
  { ctx, record, tabs }: Changing,
  changes: readonly ConsoleSettingChange[],
): Promise<void> {
  const { registry, setAll } = editor()
  for (const { key, value } of changes) {
    const setting = registry.get(key)
    // A setting of another tab is of another right.
    if (setting === undefined || !tabs.includes(setting.tab)) throw new AppError('PARAMETER_INVALID', { field: key })
    if (setting.ofWholeLog === true) requireWholeLog(ctx, key)
    // What was set under another edition can be taken back.
    if (value !== null && value !== setting.byDefault) await licence.requireFeature(setting.feature, key)
  }
  await requireOwnWayIn(editor(), ctx.address, changes)
  const by = { kind: 'account', id: ctx.principal.id, isAdmin: true } as const
  try {
    await setAll(changes, { target: {}, by, door: 'http' }, (tx, changed) =>
      record(
        tx,
        ...changed.map(({ key, before, after }) => ({
          ...{ kind: 'setting', id: key, name: key },
          ...{ before: { value: before }, after: { value: after } },
        })),
      ),
    )
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.code === 'EDIT_CONFLICT' ? await withNames(db, thrown) : thrown
  }
  settings.forget()
}

/** Otherwise one right would do for what takes two: the log is read where it is sent to. @throws AppError PERMISSION_DENIED */
function requireWholeLog({ principal }: UserCtx, field: string): void {
  const { standing } = accountOf(principal)
  if (mayIn(standing, 'log.export', {}) && standing?.auditScope === 'all') return
  throw new AppError('PERMISSION_DENIED', { reason: 'log.export', field })
}

/** Whoever changes the lists of addresses must still be on the right side of them. @throws AppError ADDRESS_SHUTS_OUT */
async function requireOwnWayIn(
  { list }: Pick<SettingsEditor, 'list'>,
  address: string,
  changes: readonly ConsoleSettingChange[],
): Promise<void> {
  const keys = Object.keys(SITE_ACCESS_SETTINGS.specs) as ReadonlyArray<keyof typeof SITE_ACCESS_SETTINGS.specs>
  const field = changes.find(({ key }) => keys.some((each) => each === key))?.key
  if (field === undefined) return
  const now = new Map((await list()).map(({ key, value }) => [key, value]))
  const text = (key: (typeof keys)[number]): string => {
    const change = changes.find((each) => each.key === key)
    return String(change === undefined ? now.get(key) : (change.value ?? ''))
  }
  const rules = {
    'security.allowedAddresses': text('security.allowedAddresses'),
    'security.deniedAddresses': text('security.deniedAddresses'),
  }
  requireLists(rules)
  if (!isAdmitted(address, rules)) throw new AppError('ADDRESS_SHUTS_OUT', { field, address })
}

/** Adds who set the values of now. */
async function withNames(db: Db, conflict: AppError): Promise<AppError> {
  const { changed } = conflict.details as { readonly changed: Readonly<Record<string, unknown>> }
  const latest = await Promise.all(Object.keys(changed).map((key) => settingsStore.history(db, key, 1)))
  const rows = latest.flat()
  const names = await namesOf(db, rows)
  return new AppError('EDIT_CONFLICT', { changed, by: [...new Set(rows.map((row) => nameOf(row, names)))] })
}

export async function settingHistory(
  { db, editor }: ConsoleSettingsDeps,
  tabs: readonly SettingTab[],
  { page, size, text = '' }: HistoryQuery,
) {
  const wanted = text.toLowerCase()
  const keys = [...editor().registry.values()].filter(({ key, tab }) => tabs.includes(tab) && fits(key, wanted))
  const { rows, total } = await settingsStore.historyPage(
    db,
    keys.map(({ key }) => key),
    { page, size },
  )
  const names = await namesOf(db, rows)
  const fields = new Map(keys.map((setting) => [setting.key, fieldOf(setting)]))
  const shown = rows.map((row): ConsoleSettingChanged => ({
    ...{ id: row.id, at: Number(row.at), key: row.name, label: labelOf(row.name), by: nameOf(row, names) },
    ...{ kind: fields.get(row.name)?.kind ?? 'text', choices: fields.get(row.name)?.choices ?? [] },
    ...{ door: row.door, before: valueOf(row.old_value), after: valueOf(row.new_value) },
  }))
  return { rows: shown, total, page, size }
}

function fits(key: string, text: string): boolean {
  return [key, ...Object.values(labelOf(key))].some((each) => each.toLowerCase().includes(text))
}

async function namesOf(db: Db, rows: readonly SettingHistoryRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ by_id: id }) => id).filter((id) => id !== ''))]
  const people = ids.length === 0 ? [] : await usersSearch.byIds(db, ids)
  return new Map(people.map(({ id, account }) => [id, account]))
}

/** The id stands in for an account that is gone. */
function nameOf(row: SettingHistoryRow, names: ReadonlyMap<string, string>): string {
  return row.by_id === '' ? row.by_kind : (names.get(row.by_id) ?? row.by_id)
}

function present(setting: RegisteredSetting, { value, source }: SettingView): ConsoleSetting {
  const { key, tab, byDefault, restart, scope, feature = null } = setting
  return {
    ...{ key, tab, label: labelOf(key), ...fieldOf(setting), restart },
    value: value as ConsoleSetting['value'],
    byDefault: byDefault as ConsoleSetting['value'],
    isSet: source !== 'default',
    isWide: scope !== 'site',
    feature,
  }
}

/** What the form and the history show of its values. */
function fieldOf({ key, schema }: RegisteredSetting) {
  const { choices, ...field } = settingField(schema)
  return {
    ...field,
    choices: choices.map((each) => ({
      value: each,
      label: { 'zh-CN': choiceText('zh-CN', key, each), 'en-US': choiceText('en-US', key, each) },
    })),
  }
}

function labelOf(key: string): ConsoleSetting['label'] {
  return { 'zh-CN': settingText('zh-CN', key), 'en-US': settingText('en-US', key) }
}

function valueOf(json: string | null): ConsoleSettingChanged['before'] {
  return json === null ? null : (JSON.parse(json) as ConsoleSettingChanged['before'])
}
