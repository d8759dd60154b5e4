import { DEFAULT_BACKGROUND_COLOUR, DEFAULT_PRIMARY_COLOUR, LIMITS, SCREEN } from '@godwit/contract'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'
import { colour, email, line, link, oneOf, onOff, whole } from '../settings/index.ts'

const { textInputMax } = LIMITS
const DESIGN = { tab: 'design' } as const
const BASIC = { tab: 'basic' } as const
const CLIENT = { tab: 'client' } as const
const POSITIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** What the site is called and looks like. Its images are files, not settings. */
export const BRANDING_SETTINGS = defineSettings({
  englishOnly: setting(onOff(0), BASIC),
  productNameZH: setting(line(64).default('塍鹬'), DESIGN),
  productNameEN: setting(line(64).default('Godwit'), DESIGN),
  companyZH: setting(line(128), DESIGN),
  companyEN: setting(line(128), DESIGN),
  companyLink: setting(link(textInputMax), DESIGN),
  companyLinkEN: setting(link(textInputMax), DESIGN),
  urlName: setting(line(64), DESIGN),
  /** Mails begin with the logo and a name, below a bar in the color of the site. */
  mailHeaderSwitch: setting(onOff(1), DESIGN),
  mailHeaderZH: setting(line(64), DESIGN),
  mailHeaderEN: setting(line(64), DESIGN),
  primaryColor: setting(colour(DEFAULT_PRIMARY_COLOUR), DESIGN),
  backgroundColor: setting(colour(DEFAULT_BACKGROUND_COLOUR), DESIGN),
  position: setting(oneOf(POSITIONS, SCREEN.signInPositionDefault), DESIGN),
  /** Percent. More would leave too little behind the words. */
  cardTransparency: setting(whole(0, 60).default(0), DESIGN),
  shieldQRCode: setting(onOff(1), CLIENT),
  androidLink: setting(link(textInputMax), CLIENT),
  iosLink: setting(link(textInputMax), CLIENT),
  contactPhone: setting(line(32), BASIC),
  contactEmail: setting(email(textInputMax), BASIC),
})
export type BrandingSettings = SettingValues<typeof BRANDING_SETTINGS>
