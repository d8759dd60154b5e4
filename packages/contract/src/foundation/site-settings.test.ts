import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MENU } from './menus.ts'
import {
  defaultSiteSettings,
  isSiteSetting,
  isWebAddress,
  SITE_SETTINGS,
  type SiteSettingName,
} from './site-settings.ts'

const NAMES = Object.keys(SITE_SETTINGS) as SiteSettingName[]

describe('site settings', () => {
  it('has the defaults of the specification', () => {
    expect(defaultSiteSettings()).toMatchObject({
      position: 6,
      primaryColor: '#FD5C1F',
      backgroundColor: '#F7F7F7',
      clientMinVersion: '1.0.0',
      clientSpaceVersion: '1.0.0',
      clientUpgradeVersion: '1.0.0',
      'menu.space.spaceId': 1,
      no_ssl_port: 2480,
      ssl_port: 2481,
      edition: 'enterprise',
    })
  })

  it('starts without what needs to be set up first: mail codes, forgotten passwords, QR codes, spaces', () => {
    expect(defaultSiteSettings()).toMatchObject({
      emailVerificationSwitch: 0,
      resetPasswordSwitch: 0,
      shieldQRCode: 1,
      'menu.space.switch': 0,
      userPwdSwitch: 1,
    })
  })

  it('has a switch for every entry of the menu', () => {
    const switches = Object.values(MENU).map((entry) => `menu.${entry.group}.${entry.switch}`)
    expect(switches.filter((name) => !isSiteSetting(name))).toEqual([])
  })

  it.each(NAMES)('%s takes its own default, also as text', (name) => {
    const { schema } = SITE_SETTINGS[name]
    const value = schema.parse(undefined)
    expect(schema.parse(value)).toBe(value)
    expect(schema.parse(String(value))).toBe(value)
  })

  it('takes or refuses any text, and what it takes it takes again as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (name, text) => {
        const { schema } = SITE_SETTINGS[name]
        const first = schema.safeParse(text)
        if (first.success) expect(schema.parse(first.data)).toBe(first.data)
      }),
    )
  })

  it.each<[SiteSettingName, readonly unknown[]]>([
    ['primaryColor', ['FD5C1F', '#FD5C1', '#FD5C1FF', 'red', '#FD5C1G', 'url(#a)', '#FD5C1F;']],
    ['position', [0, 10, 1.5, 'middle', '']],
    ['shieldQRCode', [2, -1, 'maybe', '']],
    ['edition', ['raysync', 'Enterprise', '']],
    ['clientMinVersion', ['1.0', '1', '1.0.0-beta', 'v1.0.0', '1.0.0.0', '']],
    ['companyLink', ['javascript:alert(1)', 'data:text/html,x', 'example.org', '//example.org', 'ftp://example.org']],
    ['productNameEN', ['two\nlines', 'bell\u0007', 'a'.repeat(65)]],
    ['host', ['a b', 'host/path', 'user@host', '<b>']],
    ['ssl_port', [-1, 65_536, 1.5]],
    ['contactEmail', ['nobody', 'a@b']],
    ['transferType', [3, -1]],
  ])('%s refuses %j', (name, values) => {
    expect(values.filter((value) => SITE_SETTINGS[name].schema.safeParse(value).success)).toEqual([])
  })

  it.each([
    ['on', 1],
    ['TRUE', 1],
    ['1', 1],
    [true, 1],
    ['off', 0],
    ['no', 0],
    [false, 0],
    [0, 0],
  ])('a switch reads %j as %i', (text, value) => {
    expect(SITE_SETTINGS['menu.space.switch'].schema.parse(text)).toBe(value)
  })

  it('links lead to web pages only, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `javascript:${text}`),
        ),
        (text) => {
          expect(isWebAddress(text)).toBe(URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol))
        },
      ),
    )
  })
})
