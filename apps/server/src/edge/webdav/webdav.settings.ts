import { onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const SECURITY = { tab: 'security' } as const

/**
 * On by default: only tokens that an account has made open this door, so it adds no credential, and whoever made none cannot be
 * reached by it.
 */
export const WEBDAV_SETTINGS = defineSettings({
  'webdav.enabled': setting(onOff(1), SECURITY),
  'webdav.plainHttp': setting(onOff(0), SECURITY),
  'webdav.locksPerAccount': setting(whole(1, 100_000).default(1_000), SECURITY),
})
