import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'

/** What keeps strangers out: locks, passwords, codes at the sign-in, and from where the site may be reached. */
export function SecurityPage() {
  const texts = useTexts()
  const query = useSettings(SETTING_SOURCES.security)
  return (
    <LoadedPage title={texts('security-settings.title')} query={query}>
      {(settings) => (
        <PageFrame
          title={texts('security-settings.title')}
          help={texts('security-settings.help')}
          isNarrow
          actions={
            <Link className={styles['history']} to="/admin/security/history">
              {texts('settings.history')}
            </Link>
          }
        >
          <SettingsForm source={SETTING_SOURCES.security} settings={settings} />
        </PageFrame>
      )}
    </LoadedPage>
  )
}
