import {
  DEFAULT_PORT,
  hasFeature,
  type ClientPackage,
  type PasswordPreset,
  type ServiceInfo,
  type SiteInfo,
} from '@godwit/contract'
import type { ACCOUNT_WAYS } from '../../content/spaces/index.ts'
import type { SEALING_SETTINGS } from '../../content/sealed-bodies/index.ts'
import type { CLIENT_SETTINGS } from '../../exchange/clients/index.ts'
import type { LINK_SETTINGS } from '../../exchange/links/index.ts'
import type { BrandingSettings } from '../../foundation/branding/index.ts'
import type { LicenceTerms } from '../../foundation/licence/index.ts'
import type { AuthSwitches } from '../../identity/auth/index.ts'
import type { SettingValues } from '../../kernel/setting.ts'
import { PRODUCT_VERSION } from '../../foundation/settings/index.ts'

/** What the site info returns besides its settings. */
export interface SiteFacts {
  readonly isPaused: boolean
  readonly setupNeeded: boolean
  readonly passwordPreset: PasswordPreset
  readonly clientPackages: readonly ClientPackage[]
  readonly signOns: SiteInfo['signOns']
  /** Addresses of the site's own images; '' without one. */
  readonly images: {
    readonly logo: string
    readonly icon: string
    readonly background: string
    readonly watermark: string
  }
}

/** Settings that everybody may see, whichever feature they belong to. */
export type SiteValues = BrandingSettings &
  AuthSwitches &
  Pick<LicenceTerms, 'edition' | 'closed' | 'features'> &
  SettingValues<typeof CLIENT_SETTINGS> &
  Pick<SettingValues<typeof ACCOUNT_WAYS>, 'transferType'> &
  SettingValues<typeof SEALING_SETTINGS> &
  Pick<SettingValues<typeof LINK_SETTINGS>, 'links.bindEvery' | 'links.bindFirstDevice'>

/** Values of the switches `menu.GROUP.SWITCH`, whichever feature declares them. */
export type MenuValues = Readonly<Record<string, unknown>>

/** What this installation shows to everyone. */
export function presentSite(settings: SiteValues, menu: MenuValues, facts: SiteFacts): SiteInfo {
  const { isPaused, setupNeeded, passwordPreset, clientPackages, signOns, images } = facts
  return {
    emailVerificationSwitch: settings.emailVerificationSwitch,
    position: settings.position,
    is_icon_change: changed(images.icon),
    is_logo_change: changed(images.logo),
    is_bg_change: changed(images.background),
    logo: images.logo,
    ico: images.icon,
    background: images.background,
    watermark: images.watermark,
    linkBinding: settings['links.bindEvery'] === 1 ? 2 : settings['links.bindFirstDevice'],
    cardTransparency: settings.cardTransparency,
    backgroundColor: settings.backgroundColor,
    primaryColor: settings.primaryColor,
    companyZH: settings.companyZH,
    companyEN: settings.companyEN,
    productNameZH: settings.productNameZH,
    productNameEN: settings.productNameEN,
    companyLink: settings.companyLink,
    companyLinkEN: settings.companyLinkEN,
    soft_version: PRODUCT_VERSION,
    actived: settings.closed === undefined ? 1 : 0,
    resetPasswordSwitch: settings.resetPasswordSwitch,
    shieldQRCode: settings.shieldQRCode,
    userPwdSwitch: settings.userPwdSwitch,
    passwordPreset,
    urlName: settings.urlName,
    edition: settings.edition,
    englishOnly: settings.englishOnly,
    isPaused,
    setupNeeded,
    androidLink: settings.androidLink,
    iosLink: settings.iosLink,
    contactPhone: settings.contactPhone,
    contactEmail: settings.contactEmail,
    clientMinVersion: settings.clientMinVersion,
    clientSpaceVersion: settings.clientSpaceVersion,
    clientUpgradeVersion: settings.clientUpgradeVersion,
    clientPackages: [...clientPackages],
    clientProtocolSwitch: settings.clientProtocolSwitch,
    signOns,
    clientMenuDict: menuDict(menu),
  }
}

function changed(image: string): number {
  return image === '' ? 0 : 1
}

/** `menu.GROUP.SWITCH` becomes `GROUP: { SWITCH }`. */
function menuDict(settings: MenuValues): SiteInfo['clientMenuDict'] {
  const dict: Record<string, Record<string, number>> = {}
  for (const [name, value] of Object.entries(settings)) {
    const [menu, group = '', entry = ''] = name.split('.')
    if (menu === 'menu') (dict[group] ??= {})[entry] = Number(value)
  }
  return dict
}

export interface ServiceFacts {
  /** Where the process listens. */
  readonly host: string
  readonly port: number
  readonly clientsOnline: number
  /** Address of the server's own mail sender; '' without one. */
  readonly emailAccount: string
}

export function presentService(settings: SiteValues, facts: ServiceFacts): ServiceInfo {
  return {
    apiport: facts.port || DEFAULT_PORT,
    TCPFileSizeLimit: settings.TCPFileSizeLimit,
    host: settings.host || facts.host,
    proxyPort: settings.proxyPort,
    no_ssl_port: settings.no_ssl_port,
    ssl_port: settings.ssl_port,
    // There is no FTPS server; the field stays because clients read it.
    enableFTPS: false,
    tcpEnable: settings.tcpEnable,
    tcpDelay: settings.tcpDelay,
    cTransEncryptSwitch: settings.cTransEncryptSwitch,
    cHashVerifySwitch: settings.cHashVerifySwitch,
    autoUpdateSwitch: settings.autoUpdateSwitch,
    certSelect: settings.certSelect,
    syncSwitch: hasFeature(settings, 'sync') ? 1 : 0,
    webEncryptedUploadSwitch: settings.webEncryptedUploadSwitch,
    client_online: facts.clientsOnline,
    emailAccount: facts.emailAccount,
    emailVerificationSwitch: settings.emailVerificationSwitch,
    resetPasswordSwitch: settings.resetPasswordSwitch,
    transferType: settings.transferType,
  }
}
