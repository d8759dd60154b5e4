import { DEFAULT_BACKGROUND_COLOUR, DEFAULT_PRIMARY_COLOUR, isEmail, LIMITS, SCREEN } from '@godwit/contract'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'
import { colour, line, link, onOff, whole } from '../settings/index.ts'

const { textInputMax } = LIMITS

/** What the site is called and looks like. Its images are files, not settings. */
export const BRANDING_SETTINGS = defineSettings({
  englishOnly: setting(onOff(0)),
  productNameZH: setting(line(64).default('塍鹬')),
  productNameEN: setting(line(64).default('Godwit')),
  companyZH: setting(line(128)),
  companyEN: setting(line(128)),
  companyLink: setting(link(textInputMax)),
  companyLinkEN: setting(link(textInputMax)),
  urlName: setting(line(64)),
  primaryColor: setting(colour(DEFAULT_PRIMARY_COLOUR)),
  backgroundColor: setting(colour(DEFAULT_BACKGROUND_COLOUR)),
  position: setting(whole(1, 9).default(SCREEN.signInPositionDefault)),
  shieldQRCode: setting(onOff(1)),
  androidLink: setting(link(textInputMax)),
  iosLink: setting(link(textInputMax)),
  contactPhone: setting(line(32)),
  contactEmail: setting(line(textInputMax).refine((text) => text === '' || isEmail(text), 'must be an e-mail address')),
})
export type BrandingSettings = SettingValues<typeof BRANDING_SETTINGS>
