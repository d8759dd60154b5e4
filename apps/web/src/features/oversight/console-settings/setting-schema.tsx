import type { ConsoleSetting } from '@godwit/contract'
import { isEmail } from '@godwit/contract/field-rules'
import type { PortalKey } from '@godwit/i18n/portal'
import type { ReactNode } from 'react'
import type { Texts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import type { Field, FormSchema } from '../../../ui/form/index.ts'
import { TextArea } from '../../../ui/text-area.tsx'
import { periodsField } from '../../identity/transfer-limits/index.ts'
import { SettingNote } from './setting-note.tsx'

/** A field for each setting, from what the registry of the server says about it. */
export function settingSchema(settings: readonly ConsoleSetting[], texts: Texts): FormSchema<string> {
  return Object.fromEntries(settings.map((setting) => [setting.key, fieldOf(setting, texts)]))
}

export function labelOf({ label }: Pick<ConsoleSetting, 'label'>, { locale }: Texts): string {
  return label[locale]
}

function fieldOf(setting: ConsoleSetting, texts: Texts): Field<string> {
  const { key, kind, choices, maxLength } = setting
  const common = {
    label: labelOf(setting, texts),
    wire: key,
    hint: hintOf(setting, texts),
    isReadOnly: isFixed(key),
    rule: (value: string) => settingFault(setting, value, texts),
    note: (values: Readonly<Record<string, string>>, form: { set: (changes: Record<string, string>) => void }) => (
      <SettingNote setting={setting} value={values[key] ?? ''} onReset={(value) => form.set({ [key]: value })} />
    ),
  }
  switch (kind) {
    case 'switch':
      return { ...common, kind }
    case 'choice':
      return {
        ...common,
        kind: 'select',
        choices: choices.map(({ value, label }) => ({ value: String(value), label: label[texts.locale] })),
      }
    case 'number':
      return { ...common, kind: 'text', inputMode: 'numeric', autoComplete: 'off', isRequired: true }
    case 'text':
      if (setting.format === 'periods') return { ...common, ...periodsField({ texts, name: key, wire: key }) }
      if (setting.format === 'lines')
        return { ...common, kind: 'custom', render: (form, error) => linesField(setting, common, { form, error }) }
      return { ...common, kind: 'text', autoComplete: 'off', ...(maxLength === null ? {} : { maxLength }) }
  }
}

interface Drawing {
  readonly form: FormState<string>
  readonly error: string | undefined
}

function linesField(
  { key, maxLength }: ConsoleSetting,
  { label, hint }: { readonly label: string; readonly hint: string | undefined },
  { form, error }: Drawing,
): ReactNode {
  const { value, onChange, onBlur } = form.field(key)
  return (
    <TextArea
      {...{ label, hint, error, value, onChange, onBlur }}
      name={key}
      rows={10}
      required
      {...(maxLength === null ? {} : { maxLength })}
    />
  )
}

/** Settings that change nothing here, with the reason; they are shown because other programs read them. */
const FIXED = {
  cHashVerifySwitch: 'settings.fixed.hash',
  certSelect: 'settings.fixed.certificate',
} as const satisfies Readonly<Record<string, PortalKey>>

function isFixed(key: string): key is keyof typeof FIXED {
  return Object.hasOwn(FIXED, key)
}

function hintOf({ key, kind, min, max }: ConsoleSetting, texts: Texts): string | undefined {
  if (isFixed(key)) return texts(FIXED[key])
  return kind === 'number' && min !== null && max !== null ? texts('settings.range', { min, max }) : undefined
}

/** What is wrong with a value, before the server is asked. */
function settingFault({ kind, format, min, max }: ConsoleSetting, value: string, texts: Texts): string | undefined {
  if (kind === 'number') {
    const number = Number(value)
    const isFine = /^\d+$/.test(value) && number >= (min ?? 0) && number <= (max ?? Number.MAX_SAFE_INTEGER)
    return isFine ? undefined : texts('settings.range.fault', { min: min ?? 0, max: max ?? Number.MAX_SAFE_INTEGER })
  }
  switch (format) {
    case 'color':
      return /^#[\da-f]{6}$/i.test(value) ? undefined : texts('settings.color.fault')
    case 'url':
      return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) ? undefined : texts('settings.url.fault')
    case 'email':
      return isEmail(value) ? undefined : texts('email.invalid')
    case 'version':
      return /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(value) ? undefined : texts('settings.version.fault')
    case 'lines':
    case 'periods':
    case null:
      return undefined
  }
}
