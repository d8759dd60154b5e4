import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { DesignPreview } from './design-preview.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'

/** What the site is called and looks like, with the sign-in page as it would be. */
export function DesignPage() {
  const texts = useTexts()
  const query = useSettings(SETTING_SOURCES.design)
  return (
    <LoadedPage title={texts('design.title')} query={query}>
      {(settings) => (
        <PageFrame
          title={texts('design.title')}
          help={texts('design.help')}
          isNarrow
          actions={
            <Link className={styles['history']} to="/admin/design/history">
              {texts('settings.history')}
            </Link>
          }
        >
          <SettingsForm source={SETTING_SOURCES.design} settings={settings}>
            {(form) => <DesignPreview values={form.values} />}
          </SettingsForm>
        </PageFrame>
      )}
    </LoadedPage>
  )
}
