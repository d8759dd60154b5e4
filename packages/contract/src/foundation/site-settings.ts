import { z } from 'zod'
import { isEmail } from '../field-rules.ts'
import { DEFAULT_BACKGROUND_COLOUR, DEFAULT_PRIMARY_COLOUR, LIMITS, LOCAL_PORTS, SCREEN } from '../limits.ts'
import { DEFAULT_EDITION, EDITION_NAMES } from './editions.ts'
import { isVersion } from './versions.ts'

export interface SiteSetting<Value = unknown> {
  /** Also reads the text of a command line: `1`, `true` and `on` are the same. Its default is that of a fresh installation. */
  readonly schema: z.ZodType<Value>
  readonly summary: string
}

function setting<Value>(schema: z.ZodType<Value>, summary: string): SiteSetting<Value> {
  return { schema, summary }
}

const WORDS: Readonly<Record<string, number>> = { '0': 0, false: 0, off: 0, no: 0, '1': 1, true: 1, on: 1, yes: 1 }

/** 1 on, 0 off, as the wire has it. */
function onOff(byDefault: 0 | 1) {
  const known = (value: unknown): unknown => {
    const word = typeof value === 'string' ? value.toLowerCase() : String(value)
    return WORDS[word] ?? value
  }
  return z.preprocess(
    (value) => (value === undefined ? byDefault : known(value)),
    z.union([z.literal(0), z.literal(1)], 'must be 1 (on) or 0 (off)'),
  )
}

const COLOUR = /^#[0-9a-fA-F]{6}$/
const HOST = /^[A-Za-z0-9.:[\]-]{0,253}$/

const line = (most: number) =>
  z
    .string()
    .max(most, `must have at most ${most} characters`)
    // One line, and nothing that a terminal or a log would obey.
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must be one line of text')
    .default('')
const colour = (byDefault: string) => z.string().regex(COLOUR, 'must be a colour like #FD5C1F').default(byDefault)
const version = z.string().refine(isVersion, 'must be a version like 1.0.0').default('1.0.0')
const whole = (least: number, most: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(least, `must be ${least} or more`)
    .max(most, `must be ${most} or less`)
const link = line(LIMITS.textInputMax).refine(
  (text) => text === '' || isWebAddress(text),
  'must be an address that begins with https:// or http://',
)

/** An address a page may link to: never a script. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/**
 * Everything an operator may set for the whole site, by the name that `godwit site set` takes. Images are set by the same
 * command but kept as files (see branding.ts). Names are those of the specification; a menu switch is `menu.GROUP.SWITCH`.
 */
export const SITE_SETTINGS = {
  // Site info
  edition: setting(z.enum(EDITION_NAMES).default(DEFAULT_EDITION), 'free, traffic, pro or enterprise'),
  englishOnly: setting(onOff(0), 'No language but English; the language switch is hidden'),
  productNameZH: setting(line(64).default('塍鹬'), 'Name of the product in Chinese'),
  productNameEN: setting(line(64).default('Godwit'), 'Name of the product in English'),
  companyZH: setting(line(128), 'Name of the company in Chinese'),
  companyEN: setting(line(128), 'Name of the company in English'),
  companyLink: setting(link, 'Page of the company, for Chinese readers'),
  companyLinkEN: setting(link, 'Page of the company, for English readers'),
  urlName: setting(line(64), 'Title of the browser tab; empty: the name of the product'),
  primaryColor: setting(colour(DEFAULT_PRIMARY_COLOUR), 'Colour of buttons and links'),
  backgroundColor: setting(colour(DEFAULT_BACKGROUND_COLOUR), 'Colour behind the sign-in card'),
  position: setting(whole(1, 9).default(SCREEN.signInPositionDefault), 'Place of the sign-in card on a 1-9 grid'),
  emailVerificationSwitch: setting(onOff(0), 'Ask for a code by e-mail at sign-in'),
  resetPasswordSwitch: setting(onOff(0), 'Offer forgotten passwords to be set anew by e-mail'),
  userPwdSwitch: setting(onOff(1), 'Let people change their own password'),
  shieldQRCode: setting(onOff(1), 'Hide the QR codes of the phone apps'),
  androidLink: setting(link, 'Where the Android app is'),
  iosLink: setting(link, 'Where the iOS app is'),
  contactPhone: setting(line(32), 'Phone number on limit screens; not shown in English'),
  contactEmail: setting(
    line(LIMITS.textInputMax).refine((text) => text === '' || isEmail(text), 'must be an e-mail address'),
    'E-mail address on limit screens',
  ),
  clientMinVersion: setting(version, 'Oldest desktop client that may transfer'),
  clientSpaceVersion: setting(version, 'Oldest desktop client that can change spaces'),
  clientUpgradeVersion: setting(version, 'Newest desktop client, which older ones are offered'),

  // Menu
  'menu.files.myFileSwitch': setting(onOff(1), 'Menu: my files'),
  'menu.files.groupFileSwitch': setting(onOff(0), 'Menu: group files'),
  'menu.p2p.p2pSend': setting(onOff(0), 'Menu: peer-to-peer send'),
  'menu.p2p.p2pRecv': setting(onOff(0), 'Menu: peer-to-peer receive'),
  'menu.delivery.myDeliverySwitch': setting(onOff(0), 'Menu: delivery'),
  'menu.audit.myAuditSwitch': setting(onOff(0), 'Menu: my review requests'),
  'menu.audit.auditingSwitch': setting(onOff(0), 'Menu: reviews that await me'),
  'menu.audit.auditedSwitch': setting(onOff(0), 'Menu: reviews I finished'),
  'menu.shareLink.switch': setting(onOff(0), 'Menu: share links'),
  'menu.inviteLink.switch': setting(onOff(0), 'Menu: invite links'),
  'menu.quarantineArea.switch': setting(onOff(0), 'Menu: quarantine'),
  'menu.space.switch': setting(onOff(0), 'The space selector'),
  'menu.space.spaceId': setting(whole(1, 2 ** 31 - 1).default(LIMITS.defaultSpaceId), 'The space shown first'),

  // Server info
  host: setting(
    z.string().regex(HOST, 'must be a host name or address').default(''),
    'Host of transfers; empty: as configured',
  ),
  TCPFileSizeLimit: setting(whole(0, 2 ** 40).default(0), 'Largest file of a browser transfer in KB; 0: no limit'),
  proxyPort: setting(whole(0, 65_535).default(0), 'Port of the transfer proxy; 0: none'),
  no_ssl_port: setting(whole(0, 65_535).default(LOCAL_PORTS.plain), 'Plain port of the transfer client'),
  ssl_port: setting(whole(0, 65_535).default(LOCAL_PORTS.secure), 'Secure port of the transfer client'),
  tcpEnable: setting(onOff(0), 'Fall back to TCP when the network delay allows it; needs tcpDelay'),
  tcpDelay: setting(whole(0, 60_000).default(0), 'Network delay in ms up to which TCP is used'),
  cTransEncryptSwitch: setting(onOff(1), 'The client encrypts what it transfers'),
  cHashVerifySwitch: setting(onOff(1), 'The client checks the hash of what it transferred'),
  autoUpdateSwitch: setting(onOff(0), 'The client updates itself'),
  certSelect: setting(whole(0, 9).default(0), 'Which certificate the client is shown'),
  webEncryptedUploadSwitch: setting(onOff(0), 'Browsers encrypt what they upload'),
  transferType: setting(whole(0, 2).default(2), '0 browser and client, 1 client only, 2 browser only'),
} as const satisfies Readonly<Record<string, SiteSetting>>

export type SiteSettingName = keyof typeof SITE_SETTINGS
export type SiteSettings = {
  readonly [Name in SiteSettingName]: z.output<(typeof SITE_SETTINGS)[Name]['schema']>
}

export function isSiteSetting(name: string): name is SiteSettingName {
  return Object.hasOwn(SITE_SETTINGS, name)
}

/** What a fresh installation has. */
export function defaultSiteSettings(): SiteSettings {
  return Object.fromEntries(
    Object.entries(SITE_SETTINGS).map(([name, { schema }]) => [name, schema.parse(undefined)]),
  ) as SiteSettings
}
