import { listFeatures } from '../app.ts'
import {
  createSettingsEditor,
  settingRegistry,
  type SettingRegistry,
  type SettingsEditor,
} from '../foundation/settings/index.ts'
import { openKernel, type Kernel } from '../kernel/kernel.ts'
import type { Database } from '../kernel/db/index.ts'
import type { Invocation } from './command.types.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** Every setting that the features of this server declare. */
export function declaredSettings(kernel: Kernel): SettingRegistry {
  const { all } = listFeatures(kernel, { web: undefined, documentation: undefined })
  return settingRegistry(all.flatMap(({ settings }) => settings ?? []))
}

export interface EditableSettings {
  readonly registry: SettingRegistry
  readonly editor: SettingsEditor
}

export function editableSettings({ io, loaded }: Invocation, database: Database): EditableSettings {
  const { clock, random } = io
  const kernel = openKernel({ config: loaded.config, database, clock, random, log: SILENT })
  const registry = declaredSettings(kernel)
  return { registry, editor: createSettingsEditor({ ...kernel, registry }) }
}
