import { z } from 'zod'
import { PASSWORD_PRESETS } from '../passwords.ts'
import { defineRoute } from '../wire/route.ts'
import { BRANDING_ASSETS } from './branding.ts'
import { CLIENT_PACKAGES } from './client-packages.ts'
import { EDITION_NAMES } from './editions.ts'

const menuGroup = z.record(z.string(), z.union([z.boolean(), z.number()]))

/** Public facts about the installation that the page needs before anyone signs in. Switches: 1 on, 0 off. */
export const siteInfo = z.object({
  emailVerificationSwitch: z.int(),
  /** 1 when the browser shows the site's own image instead of the built-in one. */
  is_icon_change: z.int(),
  is_logo_change: z.int(),
  is_bg_change: z.int(),
  /** Addresses of the site's own images below `/customize/`, each with a `?v=` that changes with the image; '' without one. */
  logo: z.string(),
  ico: z.string(),
  background: z.string(),
  watermark: z.string(),
  /** Sign-in card position on a 1-9 grid, rows first. */
  position: z.int().min(1).max(9),
  /** Whether links of guests are bound to their first device: 0 if their owner wants it, 1 unless the owner does not, 2 always. */
  linkBinding: z.int().min(0).max(2),
  /** Of the sign-in card, in percent. */
  cardTransparency: z.int().min(0).max(60),
  backgroundColor: z.string(),
  primaryColor: z.string(),
  companyZH: z.string(),
  companyEN: z.string(),
  productNameZH: z.string(),
  productNameEN: z.string(),
  companyLink: z.string(),
  companyLinkEN: z.string(),
  soft_version: z.string(),
  actived: z.int(),
  resetPasswordSwitch: z.int(),
  shieldQRCode: z.int(),
  userPwdSwitch: z.int(),
  /** Which rule new passwords follow; see passwords.ts. */
  passwordPreset: z.enum(PASSWORD_PRESETS),
  urlName: z.string(),
  edition: z.enum(EDITION_NAMES),
  englishOnly: z.int(),
  /** True while nobody but administrators may sign in and no transfer may begin. */
  isPaused: z.boolean(),
  /** True until the first administrator exists: the page then opens the set-up screen. */
  setupNeeded: z.boolean(),
  clientMenuDict: z.record(z.string(), menuGroup),
  /** Addresses of the phone apps for the QR codes; '' without one. */
  androidLink: z.string(),
  iosLink: z.string(),
  /** Contacts on limit screens; '' without one. The phone number is not shown in English. */
  contactPhone: z.string(),
  contactEmail: z.string(),
  /** Versions of the desktop client: the oldest that may transfer, the oldest that can change spaces, the newest. */
  clientMinVersion: z.string(),
  clientSpaceVersion: z.string(),
  clientUpgradeVersion: z.string(),
  /** Installers of the desktop client that this server really has. */
  clientPackages: z.array(z.enum(CLIENT_PACKAGES)),
  /** 1 where pages open the installed client by its `godwit://` address. */
  clientProtocolSwitch: z.int(),
  /** Identity providers whose people sign in there, in their order, with the names on their buttons. */
  signOns: z.array(z.object({ id: z.int(), nameZH: z.string(), nameEN: z.string() })),
})
export type SiteInfo = z.infer<typeof siteInfo>

export const serviceInfo = z.object({
  apiport: z.int(),
  /** KB; 0 = no limit. */
  TCPFileSizeLimit: z.int(),
  host: z.string(),
  proxyPort: z.int(),
  no_ssl_port: z.int(),
  ssl_port: z.int(),
  enableFTPS: z.boolean(),
  tcpEnable: z.int(),
  /** Milliseconds. */
  tcpDelay: z.int(),
  cTransEncryptSwitch: z.int(),
  cHashVerifySwitch: z.int(),
  autoUpdateSwitch: z.int(),
  certSelect: z.int(),
  /** 1: the edition can keep folders in sync. */
  syncSwitch: z.int(),
  webEncryptedUploadSwitch: z.int(),
  client_online: z.int(),
  emailAccount: z.string(),
  emailVerificationSwitch: z.int(),
  resetPasswordSwitch: z.int(),
  /** 0 both, 1 client only, 2 web only. */
  transferType: z.int().min(0).max(2),
})
export type ServiceInfo = z.infer<typeof serviceInfo>

export const siteRoutes = {
  customised: defineRoute({
    method: 'GET',
    path: '/customize/:asset',
    summary: "One of the site's own images, with ETag; 404 without one",
    access: 'public',
    params: z.object({ asset: z.enum(BRANDING_ASSETS) }),
    reply: z.string(),
    raw: 'reply',
    errors: ['BRANDING_IMAGE_MISSING'],
  }),
  website: defineRoute({
    method: 'GET',
    path: '/api/website/info',
    summary: 'Public facts about this installation',
    access: 'public',
    reply: siteInfo,
    errors: [],
  }),
  service: defineRoute({
    method: 'GET',
    path: '/api/service/info',
    summary: 'Transfer settings of this server',
    access: 'public',
    reply: serviceInfo,
    errors: [],
  }),
}
