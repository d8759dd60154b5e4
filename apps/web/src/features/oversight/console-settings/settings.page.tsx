import type { ConsoleSetting } from '@godwit/contract'
import { GENERAL_TABS } from '@godwit/contract/oversight/setting-tabs'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { usePinyin } from '../../../lib/pinyin.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { showChosen } from '../../../ui/show-chosen.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { useRight } from '../../identity/administration/index.ts'
import { MenuPreview } from './menu-preview.tsx'
import { labelOf } from './setting-schema.tsx'
import { findSettings } from './find-settings.ts'
import type { SettingTexts } from './setting-values.ts'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'
import { SyslogState } from './syslog-state.tsx'
import { shownValue } from './shown-value.ts'
import { UpdateTerms } from './update-terms.tsx'

/** The settings of the site by their tabs, with one search over all of them. */
export function SettingsPage() {
  const texts = useTexts()
  const query = useSettings(SETTING_SOURCES.general)
  return (
    <LoadedPage title={texts('settings.title')} query={query}>
      {(settings) => <Settings settings={settings} />}
    </LoadedPage>
  )
}

function Settings({ settings }: { readonly settings: readonly ConsoleSetting[] }) {
  const texts = useTexts()
  const mayEdit = useRight('settings.edit')
  const { tab: wanted }: { readonly tab?: string } = useParams({ strict: false })
  const tab = GENERAL_TABS.find((each) => each === wanted) ?? 'basic'
  const shown = settings.filter((setting) => setting.tab === tab)
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => showChosen(tabs.current), [tab])
  return (
    <PageFrame
      title={texts('settings.title')}
      help={texts('settings.help')}
      isNarrow
      actions={
        <Link className={styles['history']} to="/admin/settings/history">
          {texts('settings.history')}
        </Link>
      }
    >
      <SettingSearch settings={settings} />
      <nav className={styles['tabs']} aria-label={texts('settings.tabs')} ref={tabs}>
        {GENERAL_TABS.map((each) => (
          <Link
            key={each}
            to={`/admin/settings/${each}`}
            className={styles['tab']}
            aria-current={each === tab ? 'page' : undefined}
          >
            {texts(`settings.tab.${each}`)}
          </Link>
        ))}
      </nav>
      {mayEdit ? (
        <SettingsForm key={tab} source={SETTING_SOURCES.general} settings={shown}>
          {(form) => <Beside tab={tab} values={form.values} />}
        </SettingsForm>
      ) : (
        <div className={styles['card']}>
          <Facts
            facts={shown.map((setting) => ({
              label: labelOf(setting, texts),
              value: shownValue(setting.value, setting, texts),
            }))}
          />
        </div>
      )}
      {tab === 'log' && <SyslogState />}
    </PageFrame>
  )
}

/** What a tab shows besides its fields, as their values make it. */
function Beside({ tab, values }: { readonly tab: string; readonly values: SettingTexts }) {
  if (tab === 'menu') return <MenuPreview values={values} />
  return tab === 'client' ? <UpdateTerms values={values} /> : null
}

/** Finds a setting in either language, whatever tab it is on. */
function SettingSearch({ settings }: { readonly settings: readonly ConsoleSetting[] }) {
  const texts = useTexts()
  const [text, setText] = useState('')
  const found = findSettings(settings, text, usePinyin())
  return (
    <div className={styles['search']} role="search">
      <TextField
        type="search"
        label={texts('settings.search')}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text.trim() !== '' && (
        <ul className={styles['found']} aria-label={texts('settings.found', { count: found.length })}>
          {found.length === 0 && <li className={styles['none']}>{texts('settings.found', { count: 0 })}</li>}
          {found.map((setting) => (
            <li key={setting.key}>
              <Link to={`/admin/settings/${setting.tab}`} search={{ find: setting.key }} onClick={() => setText('')}>
                <span>{labelOf(setting, texts)}</span>
                <span className={styles['place']}>
                  {texts(`settings.tab.${GENERAL_TABS.find((tab) => tab === setting.tab) ?? 'basic'}`)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
