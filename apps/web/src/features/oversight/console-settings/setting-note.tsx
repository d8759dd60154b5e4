import type { ConsoleSetting } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { fieldValue } from './setting-values.ts'
import { historyPage } from './settings-query.ts'
import styles from './settings.module.css'
import { shownValue } from './shown-value.ts'

export interface SettingNoteProps {
  readonly setting: ConsoleSetting
  /** As the field holds it. */
  readonly value: string
  readonly onReset: (value: string) => void
}

/** Under a field: whether it differs from its default, the way back, and when a change takes effect. */
export function SettingNote({ setting, value, onReset }: SettingNoteProps) {
  const texts = useTexts()
  const { key, byDefault, restart, format } = setting
  const isChanged = value !== fieldValue(setting, byDefault)
  if (!isChanged && !restart) return null
  return (
    <p className={styles['note']}>
      {isChanged && (
        <>
          <Tag>{texts('settings.changed')}</Tag>
          {format !== 'lines' && format !== 'periods' && (
            <span>{texts('settings.default', { value: shownValue(byDefault, setting, texts) })}</span>
          )}
          <button
            type="button"
            className={styles['link']}
            aria-label={texts('settings.reset.of', { setting: setting.label[texts.locale] })}
            onClick={() => onReset(fieldValue(setting, byDefault))}
          >
            {texts('settings.reset')}
          </button>
          <Link
            to={historyPage(setting.tab)}
            search={{ text: key }}
            aria-label={texts('settings.history.of', { setting: setting.label[texts.locale] })}
          >
            {texts('settings.history')}
          </Link>
        </>
      )}
      {restart && <span>{texts('settings.restart')}</span>}
    </p>
  )
}
