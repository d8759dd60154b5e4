import { useTexts } from '../../../lib/texts.tsx'
import { ON } from '../../../ui/form/index.ts'
import { MENU_ENTRIES } from './menu-entries.ts'
import styles from './settings.module.css'
import type { SettingTexts } from './setting-values.ts'

/** The menu of the portal as these switches make it. */
export function MenuPreview({ values }: { readonly values: SettingTexts }) {
  const texts = useTexts()
  const shown = MENU_ENTRIES.filter(([key]) => values[key] === ON)
  return (
    <section className={styles['preview']} aria-label={texts('settings.menu.preview')}>
      <h2>{texts('settings.menu.preview')}</h2>
      {shown.length === 0 ? (
        <p>{texts('settings.menu.none')}</p>
      ) : (
        <ul>
          {shown.map(([key, name]) => (
            <li key={key}>{texts(name)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
