import { settingText } from '@godwit/i18n/setting-texts'
import { z } from 'zod'
import type { RegisteredSetting, SettingRegistry } from './settings.registry.ts'

/** The settings as JSON Schema, by key: the rule of each, its default, and who may change it where. */
export function jsonSchemaOf(registry: SettingRegistry): Readonly<Record<string, unknown>> {
  const properties = [...registry.values()].map((setting) => [setting.key, propertyOf(setting)])
  return { type: 'object', properties: Object.fromEntries(properties) as unknown, additionalProperties: false }
}

function propertyOf({ key, schema, scope, byDefault, right, restart }: RegisteredSetting) {
  const { $schema: _dialect, ...rule } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return {
    ...rule,
    description: settingText('en-US', key),
    default: byDefault,
    'x-scope': scope,
    'x-right': right,
    'x-restart': restart,
  }
}
