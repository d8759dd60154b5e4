import { SETTING_FORMATS, type SettingFormat, type SettingKind } from '@godwit/contract'
import { z } from 'zod'

/** What a page needs to make a field for a setting. */
export interface SettingField {
  readonly kind: SettingKind
  readonly format: SettingFormat | null
  readonly min: number | null
  readonly max: number | null
  readonly maxLength: number | null
  readonly choices: readonly number[]
}

interface Rule {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly number[]
  readonly anyOf?: readonly object[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** Reads the field off the schema, so that the rule is written once. */
export function settingField(schema: z.ZodType): SettingField {
  const rule = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Rule
  return {
    kind: kindOf(rule),
    format: SETTING_FORMATS.find((format) => format === rule.format) ?? null,
    min: rule.minimum ?? null,
    max: rule.maximum ?? null,
    maxLength: rule.maxLength ?? null,
    choices: kindOf(rule) === 'choice' ? (rule.enum ?? []) : [],
  }
}

function kindOf({ type, enum: values, anyOf }: Rule): SettingKind {
  if (anyOf !== undefined) return 'switch'
  if (type === 'integer' || type === 'number') return values === undefined ? 'number' : 'choice'
  return 'text'
}
