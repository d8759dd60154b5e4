import {
  DEFAULT_BACKGROUND_COLOUR,
  DEFAULT_PORT,
  DEFAULT_PRIMARY_COLOUR,
  type ServiceInfo,
  type SiteInfo,
} from '@godwit/contract'

export const PRODUCT_VERSION = '0.1.0'
export const PROTOCOL_VERSION = '1'
/** Oldest desktop client that may connect (site setting `clientMinVersion`). */
export const CLIENT_VERSION = '1.0.0'

/** What this installation shows to everyone, with the defaults of a fresh one. */
export function siteInfo(setupNeeded: boolean): SiteInfo {
  return {
    emailVerificationSwitch: 0,
    position: 6,
    is_icon_change: 0,
    is_logo_change: 0,
    is_bg_change: 0,
    logo: '',
    ico: '',
    background: '',
    backgroundColor: DEFAULT_BACKGROUND_COLOUR,
    primaryColor: DEFAULT_PRIMARY_COLOUR,
    companyZH: '',
    companyEN: '',
    productNameZH: '塍鹬',
    productNameEN: 'Godwit',
    companyLink: '',
    companyLinkEN: '',
    soft_version: PRODUCT_VERSION,
    actived: 1,
    resetPasswordSwitch: 0,
    shieldQRCode: 1,
    userPwdSwitch: 1,
    urlName: '',
    edition: 'enterprise',
    englishOnly: 0,
    setupNeeded,
    watermark: '',
    androidLink: '',
    iosLink: '',
    contactPhone: '',
    contactEmail: '',
    clientMinVersion: CLIENT_VERSION,
    clientSpaceVersion: CLIENT_VERSION,
    clientUpgradeVersion: CLIENT_VERSION,
    clientPackages: [],
    clientMenuDict: { files: { myFileSwitch: 1, groupFileSwitch: 0 } },
  }
}

export function serviceInfo(host: string, port: number): ServiceInfo {
  return {
    apiport: port || DEFAULT_PORT,
    TCPFileSizeLimit: 0,
    host,
    proxyPort: 0,
    no_ssl_port: 2480,
    ssl_port: 2481,
    enableFTPS: false,
    tcpEnable: 0,
    tcpDelay: 0,
    cTransEncryptSwitch: 1,
    cHashVerifySwitch: 1,
    autoUpdateSwitch: 0,
    certSelect: 0,
    webEncryptedUploadSwitch: 0,
    client_online: 0,
    emailAccount: '',
    emailVerificationSwitch: 0,
    resetPasswordSwitch: 0,
    // Web only: no desktop client exists for this server to drive.
    transferType: 2,
  }
}
