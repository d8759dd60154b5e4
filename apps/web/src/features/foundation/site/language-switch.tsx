import { Languages } from 'lucide-react'
import { LOCALES, useLocaleStore, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { useSite } from './site.tsx'

/** Hidden in the English-only build. */
export function LanguageSwitch() {
  const texts = useTexts()
  const locale = useLocaleStore()
  const { englishOnly } = useSite()
  const other = LOCALES.find((each) => each !== texts.locale)
  if (englishOnly === 1 || other === undefined) return null
  return (
    <Button kind="quiet" lang={other} onClick={() => locale.set(other)}>
      <Languages size={18} aria-hidden="true" />
      {texts(`language.${other}`)}
    </Button>
  )
}
