import { routes } from '@godwit/contract/table'
import { DatabaseBackup, Mail, MailOpen, Palette, Settings, ShieldCheck } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
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
  search: {
    label: 'settings.title',
    right: 'settings.view',
    async find(api, text, signal) {
      const { settings } = await api.call(routes.adminSettings.list, {}, { signal })
      const locale = document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en-US'
      return findSettings(settings, text)
        .slice(0, SEARCH_HITS)
        .map(({ key, tab, label }) => ({
          id: `setting-${key}`,
          name: label[locale],
          detail: key,
          to: `/admin/settings/${tab}`,
          search: { find: key },
        }))
    },
  },
}
