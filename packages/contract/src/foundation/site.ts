import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

const menuGroup = z.record(z.string(), z.union([z.boolean(), z.number()]))

/** Public facts about the installation that the page needs before anyone signs in (document 1, section 3). Switches: 1 on, 0 off. */
export const siteInfo = z.object({
  emailVerificationSwitch: z.int(),
  /** Sign-in card position on a 1-9 grid, rows first. */
  position: z.int().min(1).max(9),
  is_icon_change: z.int(),
  is_logo_change: z.int(),
  is_bg_change: z.int(),
  logo: z.string(),
  ico: z.string(),
  background: z.string(),
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
  urlName: z.string(),
  /** `free`, `traffic`, `pro` or `enterprise`. */
  edition: z.string(),
  englishOnly: z.int(),
  /** True until the first administrator exists: the page then opens the set-up screen. */
  setupNeeded: z.boolean(),
  clientMenuDict: z.record(z.string(), menuGroup),
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
