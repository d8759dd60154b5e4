import {
  adminBackupSettingRoutes,
  adminCertificateSettingRoutes,
  adminDesignRoutes,
  adminMailSettingRoutes,
  adminSecuritySettingRoutes,
  adminSettingRoutes,
  GENERAL_TABS,
} from '@godwit/contract'
import type { Licence } from '../../foundation/licence/index.ts'
import { createSettingsEditor, settingRegistry, type Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { SettingGroup } from '../../kernel/setting.ts'
import { settingEndpoints } from './console-settings.routes.ts'

/** The settings of every feature in the console: each tab under its right. */
export function consoleSettingsFeature(
  kernel: Kernel,
  { settings, licence }: { readonly settings: Settings; readonly licence: Licence },
): Feature {
  const { db, clock, database, ids } = kernel
  let groups: readonly SettingGroup[] = []
  const deps = {
    db,
    settings,
    licence,
    editor: () => {
      const registry = settingRegistry(groups)
      return { registry, ...createSettingsEditor({ db, clock, ids, dialect: database.dialect, registry }) }
    },
  }
  return defineFeature({
    name: 'console-settings',
    endpoints: [
      ...settingEndpoints(deps, { db, clock }, { routes: adminSettingRoutes, tabs: GENERAL_TABS }),
      ...settingEndpoints(deps, { db, clock }, { routes: adminSecuritySettingRoutes, tabs: ['security'] }),
      ...settingEndpoints(deps, { db, clock }, { routes: adminDesignRoutes, tabs: ['design'] }),
      ...settingEndpoints(deps, { db, clock }, { routes: adminBackupSettingRoutes, tabs: ['backup'] }),
      ...settingEndpoints(deps, { db, clock }, { routes: adminCertificateSettingRoutes, tabs: ['certificate'] }),
      ...settingEndpoints(deps, { db, clock }, { routes: adminMailSettingRoutes, tabs: ['mail'] }),
    ],
    async start(all) {
      groups = all.settings
      await Promise.resolve()
    },
  })
}
