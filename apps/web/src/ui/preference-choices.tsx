import { useServices } from '../lib/services.tsx'
import { useStore } from '../lib/store.ts'
import { LOCALES, useLocaleStore, useTexts } from '../lib/texts.tsx'
import { THEMES } from '../lib/theme.ts'
import { MenuChoices } from './menu.tsx'

/** Language and theme, inside an account menu. */
export function PreferenceChoices({ hasLanguages }: { readonly hasLanguages: boolean }) {
  const texts = useTexts()
  const { theme } = useServices()
  const locale = useLocaleStore()
  const shownTheme = useStore(theme)
  return (
    <>
      {hasLanguages && (
        <MenuChoices
          label={texts('language.label')}
          value={texts.locale}
          choices={LOCALES.map((each) => ({ value: each, label: texts(`language.${each}`), lang: each }))}
          onChange={(next) => locale.set(next)}
        />
      )}
      <MenuChoices
        label={texts('theme.label')}
        value={shownTheme}
        choices={THEMES.map((each) => ({ value: each, label: texts(`theme.${each}`) }))}
        onChange={(next) => theme.set(next)}
      />
    </>
  )
}
