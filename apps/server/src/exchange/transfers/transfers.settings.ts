import { LIMITS } from '@godwit/contract'
import { onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const PORT = { tab: 'transfer', restart: true } as const

/** The port that clients send and receive by. */
export const TRANSFER_SETTINGS = defineSettings({
  transferPortSwitch: setting(onOff(1), PORT),
  /** 0: the one after the main port. */
  transferPort: setting(whole(0, 65_535, 'PORT_INVALID').default(0), PORT),
  packageSize: setting(
    whole(LIMITS.packageSizeMin, LIMITS.packageSizeMax, 'PACKAGE_SIZE_INVALID').default(LIMITS.packageSizeMax),
    PORT,
  ),
  /** Transfers that are over stay in the lists so many days; 0: for ever. */
  'log.transferDays': setting(whole(0, 36_500).default(180), { tab: 'log' }),
})
export type TransferSettings = SettingValues<typeof TRANSFER_SETTINGS>
