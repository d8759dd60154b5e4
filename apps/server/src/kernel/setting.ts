import type { Feature, SettingTab } from '@godwit/contract'
import type { z } from 'zod'

/** Places that may have a value of their own, from the widest to the narrowest. */
export const SETTING_SCOPES = ['site', 'space', 'group', 'user'] as const
export type SettingScope = (typeof SETTING_SCOPES)[number]

/** Who may change a setting: administrators, or accounts their own value as well. */
export type SettingRight = 'admin' | 'user'

export interface SettingSpec<Schema extends z.ZodType = z.ZodType> {
  /** Reads JSON and the text of a command line alike, and gives its default for `undefined`. */
  readonly schema: Schema
  /** The narrowest place that may have its own value; wider ones may too. */
  readonly scope: SettingScope
  readonly right: SettingRight
  /** A change takes effect with the next start. */
  readonly restart: boolean
  /** Where the console shows it. */
  readonly tab: SettingTab
  /** What the edition must have for the console to take anything but the default. */
  readonly feature?: Feature
  /** Sends the operation log away or ends rows of it: the console takes it only from whoever may export all of the log. */
  readonly ofWholeLog?: boolean
}

/** The settings of one feature, by their keys. A key is unique in the product, and its texts stand under it in i18n. */
export interface SettingGroup<Specs extends SettingSpecs = SettingSpecs> {
  readonly specs: Specs
  /** What one value demands of another. @throws AppError with the field at fault */
  check?(values: ValuesOf<Specs>): void
}

export type SettingSpecs = Readonly<Record<string, SettingSpec>>
export type ValuesOf<Specs extends SettingSpecs> = { readonly [Key in keyof Specs]: z.output<Specs[Key]['schema']> }
export type SettingValues<Group extends SettingGroup> =
  Group extends SettingGroup<infer Specs> ? ValuesOf<Specs> : never

/** @param rules what is not said: the site alone, by administrators, without a restart, among the further settings */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  rules: Partial<Omit<SettingSpec, 'schema'>> = {},
): SettingSpec<Schema> {
  return { schema, scope: 'site', right: 'admin', restart: false, tab: 'more', ...rules }
}

export function defineSettings<Specs extends SettingSpecs>(
  specs: Specs,
  check?: (values: ValuesOf<Specs>) => void,
): SettingGroup<Specs> {
  return check === undefined ? { specs } : { specs, check }
}

/** What a fresh installation has. */
export function defaultsOf<Specs extends SettingSpecs>({ specs }: SettingGroup<Specs>): ValuesOf<Specs> {
  const entries = Object.entries(specs).map(([key, { schema }]) => [key, schema.parse(undefined)])
  return Object.fromEntries(entries) as ValuesOf<Specs>
}
