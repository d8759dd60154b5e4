import { LOCAL_PORTS } from '@godwit/contract'
import { z } from 'zod'
import type { LICENCE_SETTINGS } from '../../foundation/licence/index.ts'
import { onOff, version, whole } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const HOST = /^[A-Za-z0-9.:[\]-]{0,253}$/
const PORT_MAX = 65_535

/** Which desktop clients may come, and how they transfer. */
export const CLIENT_SETTINGS = defineSettings(
  {
    clientMinVersion: setting(version()),
    clientSpaceVersion: setting(version()),
    clientUpgradeVersion: setting(version()),
    host: setting(z.string().regex(HOST, 'must be a host name or address').default('')),
    TCPFileSizeLimit: setting(whole(0, 2 ** 40).default(0)),
    proxyPort: setting(whole(0, PORT_MAX).default(0)),
    no_ssl_port: setting(whole(0, PORT_MAX).default(LOCAL_PORTS.plain)),
    ssl_port: setting(whole(0, PORT_MAX).default(LOCAL_PORTS.secure)),
    tcpEnable: setting(onOff(0)),
    tcpDelay: setting(whole(0, 60_000).default(0)),
    cTransEncryptSwitch: setting(onOff(1)),
    cHashVerifySwitch: setting(onOff(1)),
    autoUpdateSwitch: setting(onOff(0)),
    certSelect: setting(whole(0, 9).default(0)),
    transferType: setting(whole(0, 2).default(2)),
  },
  ({ tcpEnable, tcpDelay }) => {
    // Without a delay nobody could tell when TCP is meant.
    if (tcpEnable === 1 && tcpDelay === 0) throw new AppError('TCP_DELAY_REQUIRED', { field: 'tcpDelay' })
  },
)
export type ClientSettings = SettingValues<typeof CLIENT_SETTINGS>

/** What decides about clients: their own settings, and how many the edition allows. */
export type ClientRules = ClientSettings & SettingValues<typeof LICENCE_SETTINGS>
