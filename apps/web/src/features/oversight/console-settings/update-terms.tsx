import { useTexts } from '../../../lib/texts.tsx'
import { ON } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { SettingTexts } from './setting-values.ts'

/** What an administrator accepts who lets clients update themselves; shown where that is on or about to be. */
export function UpdateTerms({ values }: { readonly values: SettingTexts }) {
  const texts = useTexts()
  return values['autoUpdateSwitch'] === ON ? <Notice kind="warning">{texts('settings.client.terms')}</Notice> : null
}
