import type { ConsoleSetting } from '@godwit/contract'
import { useMemo, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { FormSchema, SchemaFormProps } from '../../../ui/form/index.ts'
import { useMissing } from '../../foundation/site/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { PageForm } from '../../console-kit/page-form.tsx'
import { FoundField } from './found-field.tsx'
import { settingSchema } from './setting-schema.tsx'
import { settingChanges, type SettingTexts, valuesOf } from './setting-values.ts'
import { SettingLimits } from './setting-limits.tsx'
import type { SettingSource } from './settings-query.ts'

/** Fields that are no settings, and are saved before them. */
export interface FieldsBeside {
  readonly schema: FormSchema<string>
  readonly initial: SettingTexts
  /** Sends what differs from `base`. */
  readonly send: (values: SettingTexts, base: SettingTexts) => Promise<void>
}

export interface SettingsFormProps extends Pick<SchemaFormProps<string>, 'children' | 'lead'> {
  readonly source: SettingSource
  /** Shown in this order; the source may have more. */
  readonly settings: readonly ConsoleSetting[]
  /** What the page knows better about the fields than the registry does. */
  readonly refine?: (schema: FormSchema<string>) => FormSchema<string>
  /** Above the settings, in the same form. */
  readonly beside?: FieldsBeside
  /** After the settings are saved: for what depends on them. */
  readonly onSaved?: () => void
}

/** Settings as one form: all of its changes are saved, or none. */
export function SettingsForm({ settings, ...rest }: SettingsFormProps) {
  const missing = useMissing()
  const limited = settings.filter(({ feature }) => missing(feature) !== undefined)
  // What was set under another edition stays in sight, and can be taken back.
  const shown = limited.length === 0 ? settings : settings.filter((each) => each.isSet || !limited.includes(each))
  return (
    <>
      <ShownSettings {...rest} settings={shown} />
      <FoundField />
      {limited.length > 0 && <SettingLimits features={limited.flatMap(({ feature }) => feature ?? [])} />}
    </>
  )
}

function ShownSettings({ source, settings, refine, beside, onSaved, ...rest }: SettingsFormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(source.key)
  const [round, setRound] = useState(0)
  // What stands beside the settings is saved when these meet a conflict, and is sent once more with them.
  const known = useRef<SettingTexts>({})
  const schema = useMemo(() => {
    const plain = settingSchema(settings, texts)
    return refine === undefined ? plain : refine(plain)
  }, [settings, texts, refine])
  return (
    <PageForm
      {...rest}
      key={round}
      schema={{ ...beside?.schema, ...schema }}
      initial={{ ...beside?.initial, ...valuesOf(settings) }}
      submitLabel={texts('common.save')}
      onSend={async (values, base) => {
        await beside?.send(values, base)
        known.current = Object.fromEntries(Object.keys(beside?.schema ?? {}).map((name) => [name, base[name] ?? '']))
        const changes = settingChanges(settings, values, base)
        if (changes.length > 0) await api.call(source.routes.edit, { body: { changes: [...changes] } })
      }}
      onConflict={async () => {
        const now = (await api.call(source.routes.list, {})).settings
        return { ...known.current, ...valuesOf(now.filter(({ key }) => key in schema)) }
      }}
      onSaved={() => {
        void refresh()
        onSaved?.()
        messages.notify('success', texts('settings.saved'))
      }}
      onCancel={() => setRound(round + 1)}
    />
  )
}
