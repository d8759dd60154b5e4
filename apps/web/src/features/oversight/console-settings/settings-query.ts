import { routes } from '@godwit/contract/table'
import type { ConsoleSettingChanged, SettingTab } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** Settings of one right: where they are asked for and changed. */
export const SETTING_SOURCES = {
  general: { key: 'settings', page: '/admin/settings', routes: routes.adminSettings },
  security: { key: 'security-settings', page: '/admin/security', routes: routes.adminSecuritySettings },
  design: { key: 'design-settings', page: '/admin/design', routes: routes.adminDesign },
  mail: { key: 'mail-words', page: '/admin/mail/templates', routes: routes.adminMailSettings },
  certificate: {
    key: 'certificate-settings',
    page: '/admin/certificates/acme',
    routes: routes.adminCertificateSettings,
  },
  backup: { key: 'backup-settings', page: '/admin/backups', routes: routes.adminBackupSettings },
} as const
export type SettingSource = (typeof SETTING_SOURCES)[keyof typeof SETTING_SOURCES]

export function useSettings({ key, routes: { list } }: SettingSource) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', key, 'all'],
    queryFn: async ({ signal }) => (await api.call(list, {}, { signal })).settings,
  })
}

export function historySource({ key, routes: { history } }: SettingSource): ListSource<ConsoleSettingChanged> {
  return {
    key,
    load: (api, { page, pageSize, filters: { text } }, signal) =>
      api.call(history, { query: { page, size: pageSize, text } }, signal === undefined ? {} : { signal }),
  }
}

/** Where the history of the settings of a tab is. */
export function historyPage(tab: SettingTab): string {
  const { page } =
    tab === 'security' || tab === 'design' || tab === 'backup' || tab === 'mail' || tab === 'certificate'
      ? SETTING_SOURCES[tab]
      : SETTING_SOURCES.general
  return `${page}/history`
}
