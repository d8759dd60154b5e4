/** Parts of the console where settings are shown. A setting declares one. */
export const SETTING_TABS = [
  'basic',
  'link',
  'transfer',
  'client',
  'menu',
  'log',
  'more',
  'security',
  'design',
  'licence',
  'backup',
  'certificate',
  'mail',
] as const
export type SettingTab = (typeof SETTING_TABS)[number]

/** Those of the page of settings; the others have pages and rights of their own. */
export const GENERAL_TABS = [
  'basic',
  'link',
  'transfer',
  'client',
  'menu',
  'log',
  'more',
] as const satisfies readonly SettingTab[]

/** What a field for a setting looks like. */
export const SETTING_KINDS = ['switch', 'number', 'choice', 'text'] as const
export type SettingKind = (typeof SETTING_KINDS)[number]

/** What the text of a setting must be. */
export const SETTING_FORMATS = ['color', 'url', 'email', 'version', 'lines', 'periods'] as const
export type SettingFormat = (typeof SETTING_FORMATS)[number]
