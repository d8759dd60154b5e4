import type { ConsoleSetting } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { DatabaseBackup, Mail, MailOpen, Palette, Settings, ShieldCheck } from 'lucide-react'
import type { ConsoleFeature, ConsoleSearch } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { loadPinyin } from '../../../lib/pinyin.ts'
import { findSettings } from './find-settings.ts'

const pages = lazyModule(() => import('./settings-pages.ts'))
const SettingsPage = lazyPart(pages, (module) => module.SettingsPage)
const SettingHistoryPage = lazyPart(pages, (module) => module.SettingHistoryPage)

const SecurityPage = lazyPart(pages, (module) => module.SecurityPage)
const SecurityHistoryPage = lazyPart(pages, (module) => module.SecurityHistoryPage)

const DesignPage = lazyPart(pages, (module) => module.DesignPage)
const DesignHistoryPage = lazyPart(pages, (module) => module.DesignHistoryPage)
const BackupsPage = lazyPart(pages, (module) => module.BackupsPage)
const BackupHistoryPage = lazyPart(pages, (module) => module.BackupHistoryPage)
const AcmePage = lazyPart(pages, (module) => module.AcmePage)
const CertificateHistoryPage = lazyPart(pages, (module) => module.CertificateHistoryPage)
const MailPage = lazyPart(pages, (module) => module.MailPage)

const MailWordsPage = lazyPart(pages, (module) => module.MailWordsPage)
const MailWordsHistoryPage = lazyPart(pages, (module) => module.MailWordsHistoryPage)

const SEARCH_HITS = 10

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/settings',
      title: 'settings.title',
      component: SettingsPage,
      right: 'settings.view',
      menu: { section: 'system', icon: Settings },
    },
    {
      path: '/admin/settings/history',
      title: 'settings.history.title',
      component: SettingHistoryPage,
      right: 'settings.view',
    },
    { path: '/admin/settings/$tab', title: 'settings.title', component: SettingsPage, right: 'settings.view' },
    {
      path: '/admin/security',
      title: 'security-settings.title',
      component: SecurityPage,
      right: 'security.edit',
      menu: { section: 'security', icon: ShieldCheck },
    },
    {
      path: '/admin/security/history',
      title: 'settings.history.title',
      component: SecurityHistoryPage,
      right: 'security.edit',
    },
    {
      path: '/admin/design',
      title: 'design.title',
      component: DesignPage,
      right: 'design.edit',
      feature: 'customisation',
      menu: { section: 'system', icon: Palette },
    },
    {
      path: '/admin/design/history',
      title: 'settings.history.title',
      component: DesignHistoryPage,
      right: 'design.edit',
    },
    {
      path: '/admin/backups',
      title: 'backups.title',
      component: BackupsPage,
      right: 'backup.run',
      menu: { section: 'system', icon: DatabaseBackup },
    },
    {
      path: '/admin/backups/history',
      title: 'settings.history.title',
      component: BackupHistoryPage,
      right: 'backup.run',
    },
    {
      path: '/admin/certificates/acme',
      title: 'certificates.title',
      component: AcmePage,
      right: 'certificates.edit',
    },
    {
      path: '/admin/certificates/acme/history',
      title: 'settings.history.title',
      component: CertificateHistoryPage,
      right: 'certificates.edit',
    },
    {
      path: '/admin/mail',
      title: 'console-mail.title',
      component: MailPage,
      right: 'mail.edit',
      menu: { section: 'notices', icon: Mail },
    },
    {
      path: '/admin/mail/templates',
      title: 'mail-words.title',
      component: MailWordsPage,
      right: 'mail.edit',
      menu: { section: 'notices', icon: MailOpen },
    },
    {
      path: '/admin/mail/templates/history',
      title: 'settings.history.title',
      component: MailWordsHistoryPage,
      right: 'mail.edit',
    },
    {
      path: '/admin/mail/templates/$template',
      title: 'mail-words.title',
      component: MailWordsPage,
      right: 'mail.edit',
    },
  ],
  searches: [
    settingSearch({
      ...{ label: 'settings.title', right: 'settings.view', list: routes.adminSettings.list },
      pageOf: ({ tab }) => `/admin/settings/${tab}`,
    }),
    settingSearch({
      ...{ label: 'security-settings.title', right: 'security.edit', list: routes.adminSecuritySettings.list },
      pageOf: () => '/admin/security',
    }),
    settingSearch({
      ...{ label: 'design.title', right: 'design.edit', list: routes.adminDesign.list },
      pageOf: () => '/admin/design',
    }),
    settingSearch({
      ...{ label: 'mail-words.title', right: 'mail.edit', list: routes.adminMailSettings.list },
      pageOf: ({ key }) => `/admin/mail/templates/${key.split('.')[1] ?? ''}`,
    }),
    settingSearch({
      ...{ label: 'certificates.title', right: 'certificates.edit', list: routes.adminCertificateSettings.list },
      pageOf: () => '/admin/certificates/acme',
    }),
    settingSearch({
      ...{ label: 'backups.title', right: 'backup.restore', list: routes.adminBackupSettings.list },
      pageOf: () => '/admin/backups',
    }),
  ],
}

interface SettingSearchOptions extends Pick<ConsoleSearch, 'label' | 'right'> {
  readonly list: typeof routes.adminSettings.list
  /** Where the setting is shown. */
  readonly pageOf: (setting: ConsoleSetting) => string
}

/** Finds settings of one right by their names in either language. The page moves the focus to the one that was chosen. */
function settingSearch({ label, right, list, pageOf }: SettingSearchOptions): ConsoleSearch {
  return {
    label,
    right,
    async find(api, text, signal) {
      const { settings } = await api.call(list, {}, { signal })
      const locale = document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en-US'
      return findSettings(settings, text, await loadPinyin())
        .slice(0, SEARCH_HITS)
        .map((setting) => ({
          id: `setting-${setting.key}`,
          name: setting.label[locale],
          detail: setting.key,
          to: pageOf(setting),
          search: { find: setting.key },
        }))
    },
  }
}
