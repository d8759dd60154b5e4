import { LOCAL_PORTS } from '@godwit/contract'
import { z } from 'zod'
import type { LicenceTerms } from '../../foundation/licence/index.ts'
import { onOff, version, whole } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const HOST = /^[A-Za-z0-9.:[\]-]{0,253}$/
const PORT_MAX = 65_535
const CLIENT = { tab: 'client' } as const
const TRANSFER = { tab: 'transfer' } as const

/** Which desktop clients may come, and how they transfer. */
export const CLIENT_SETTINGS = defineSettings(
  {
    clientMinVersion: setting(version(), CLIENT),
    clientSpaceVersion: setting(version(), CLIENT),
    clientUpgradeVersion: setting(version(), CLIENT),
    host: setting(z.string().regex(HOST, 'must be a host name or address').default(''), TRANSFER),
    TCPFileSizeLimit: setting(whole(0, 2 ** 40).default(0), TRANSFER),
    proxyPort: setting(whole(0, PORT_MAX, 'PORT_INVALID').default(0), TRANSFER),
    no_ssl_port: setting(whole(0, PORT_MAX, 'PORT_INVALID').default(LOCAL_PORTS.plain), CLIENT),
    ssl_port: setting(whole(0, PORT_MAX, 'PORT_INVALID').default(LOCAL_PORTS.secure), CLIENT),
    tcpEnable: setting(onOff(0), TRANSFER),
    tcpDelay: setting(whole(0, 60_000).default(0), TRANSFER),
    cTransEncryptSwitch: setting(onOff(1), CLIENT),
    cHashVerifySwitch: setting(onOff(1), CLIENT),
    autoUpdateSwitch: setting(onOff(0), CLIENT),
    autoUpdateTerms: setting(onOff(0), CLIENT),
    clientProtocolSwitch: setting(onOff(1), CLIENT),
    certSelect: setting(whole(0, 9).default(0), CLIENT),
  },
  ({ tcpEnable, tcpDelay, autoUpdateSwitch, autoUpdateTerms }) => {
    // Without a delay nobody could tell when TCP is meant.
    if (tcpEnable === 1 && tcpDelay === 0) throw new AppError('TCP_DELAY_REQUIRED', { field: 'tcpDelay' })
    // Programs of other people's computers are replaced without asking them: somebody has to answer for that.
    if (autoUpdateSwitch === 1 && autoUpdateTerms === 0)
      throw new AppError('CLIENT_UPGRADE_TERMS_MISSING', { field: 'autoUpdateTerms' })
  },
)
export type ClientSettings = SettingValues<typeof CLIENT_SETTINGS>

/** What decides about clients: their own settings, and how many the edition allows. */
export type ClientRules = ClientSettings & { readonly maxClients: LicenceTerms['clients'] }
