import type { ConsoleSetting } from '@godwit/contract'
import { useMemo, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { FormSchema, SchemaFormProps } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { PageForm } from '../../console-kit/page-form.tsx'
import { settingSchema } from './setting-schema.tsx'
import { settingChanges, valuesOf } from './setting-values.ts'
import type { SettingSource } from './settings-query.ts'

export interface SettingsFormProps extends Pick<SchemaFormProps<string>, 'children' | 'lead'> {
  readonly source: SettingSource
  /** Shown in this order; the source may have more. */
  readonly settings: readonly ConsoleSetting[]
  /** What the page knows better about the fields than the registry does. */
  readonly refine?: (schema: FormSchema<string>) => FormSchema<string>
  /** After the settings are saved: for what depends on them. */
  readonly onSaved?: () => void
}

/** Settings as one form: all of its changes are saved, or none. */
export function SettingsForm({ source, settings, refine, onSaved, ...rest }: SettingsFormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(source.key)
  const [round, setRound] = useState(0)
  const schema = useMemo(() => {
    const plain = settingSchema(settings, texts)
    return refine === undefined ? plain : refine(plain)
  }, [settings, texts, refine])
  return (
    <PageForm
      {...rest}
      key={round}
      schema={schema}
      initial={valuesOf(settings)}
      submitLabel={texts('common.save')}
      onSend={async (values, base) => {
        const changes = settingChanges(settings, values, base)
        if (changes.length > 0) await api.call(source.routes.edit, { body: { changes: [...changes] } })
      }}
      onConflict={async () => {
        const now = (await api.call(source.routes.list, {})).settings
        return valuesOf(now.filter(({ key }) => key in schema))
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
