import { isSpaceSwitchOn, MENU } from '@godwit/contract'
import { choiceText, SETTING_TEXT_KEYS } from '@godwit/i18n/setting-texts'
import { rootCertificates } from 'node:tls'
import { secureRandom } from '@godwit/base'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declaredSettings } from './cli/declared-settings.ts'
import {
  createSettings,
  createSettingsEditor,
  settingField,
  type RegisteredSetting,
  type SettingRegistry,
} from './foundation/settings/index.ts'
import { loadConfig } from './kernel/config/index.ts'
import { timeOrderedIds } from './kernel/ids.ts'
import { openKernel } from './kernel/kernel.ts'
import { createLog } from './kernel/log.ts'
import { openWorld, type World } from './testing/worlds.ts'

describe('the settings that features declare', () => {
  let world: World
  let registry: SettingRegistry

  beforeAll(async () => {
    world = await openWorld()
    const { config } = loadConfig({ environment: { GODWIT_DATA: world.folder }, flags: {}, readSecret: () => '' })
    const { clock, database } = world
    registry = declaredSettings(openKernel({ config, database, clock, random: secureRandom, log: createLog('silent') }))
  })
  afterAll(async () => world[Symbol.asyncDispose]())

  const defaults = () => Object.fromEntries([...registry.values()].map(({ key, byDefault }) => [key, byDefault]))

  it('have their texts in both languages, and no text is left over', () => {
    expect([...registry.keys()].toSorted()).toEqual(SETTING_TEXT_KEYS.toSorted())
  })

  it.each(['en-US', 'zh-CN'] as const)('say what each of their choices means in %s', (locale) => {
    const mute = [...registry.values()].flatMap(({ key, schema }) =>
      settingField(schema)
        .choices.filter((value) => choiceText(locale, key, value) === '')
        .map((value) => `${key} ${value}`),
    )
    expect(mute).toEqual([])
  })

  it('have the defaults of the specification', () => {
    expect(defaults()).toMatchObject({
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

  it('begin without what needs to be set up first: mail codes, forgotten passwords, QR codes, spaces', () => {
    expect(defaults()).toMatchObject({
      emailVerificationSwitch: 0,
      resetPasswordSwitch: 0,
      shieldQRCode: 1,
      'menu.space.switch': 0,
      userPwdSwitch: 1,
    })
    expect(isSpaceSwitchOn({ clientMenuDict: {}, edition: 'enterprise' })).toBe(false)
  })

  it('have a switch for every entry of the menu', () => {
    const switches = Object.values(MENU).map((entry) => `menu.${entry.group}.${entry.switch}`)
    expect(switches.filter((name) => !registry.has(name))).toEqual([])
  })

  it('take their own default, also as text', () => {
    for (const { key, schema, byDefault } of registry.values()) {
      expect([key, schema.parse(byDefault), schema.parse(String(byDefault))]).toEqual([key, byDefault, byDefault])
    }
  })

  it('take or refuse any text, and what they take they take again as it is', () => {
    const settings = [...registry.values()]
    fc.assert(
      fc.property(
        fc.constantFrom(...settings),
        fc.oneof(fc.string({ unit: 'binary' }), fc.string()),
        ({ schema }, text) => {
          const first = schema.safeParse(text)
          if (first.success) expect(schema.parse(first.data)).toBe(first.data)
        },
      ),
    )
  })

  it.each<[string, readonly unknown[]]>([
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
  ])('%s refuses %j', (key, values) => {
    expect(values.filter((value) => registry.get(key)?.schema.safeParse(value).success !== false)).toEqual([])
  })

  it('hold on every server within two seconds, each that needs no restart', async () => {
    const { clock, database } = world
    const log = { warn: () => undefined }
    const [here, elsewhere] = [0, 1].map(() => createSettings({ db: database.db, clock, log }))
    const ids = timeOrderedIds(clock, secureRandom)
    const editor = createSettingsEditor({ db: database.db, dialect: 'sqlite', clock, ids, registry })
    const change = { by: { kind: 'operator' }, door: 'command-line', target: {} } as const
    const walked = [...registry.values()].filter(({ restart }) => !restart)
    const changes = walked.map((setting) => ({ key: setting.key, value: otherThan(setting) }))
    for (const servers of [here, elsewhere]) for (const { group } of walked) await servers?.of(group)
    await editor.setAll(changes, change)
    clock.advance(2_000)
    for (const { key, group } of walked) {
      const values: Readonly<Record<string, unknown>> | undefined = await elsewhere?.of(group)
      expect([key, values?.[key]]).toEqual([key, changes.find((each) => each.key === key)?.value])
    }
    expect(walked.length).toBeGreaterThan(60)
  })
})

/** Another value that its rule allows. */
function otherThan({ key, schema, byDefault }: RegisteredSetting): unknown {
  const tried = [
    0,
    1,
    2,
    3,
    5,
    10,
    30,
    '10.80.90.1',
    'x',
    '#123456',
    'https://example.org/',
    'mei@example.org',
    '2.0.0',
    'pro',
    '/srv/backups',
    '1-5 08:00-18:00 50/100',
    // The fingerprint of a certificate.
    Array.from({ length: 32 }, () => 'AB').join(':'),
    rootCertificates[0]?.trim(),
    // Words of mails, which need their placeholders.
    `${String(byDefault)} and more`,
  ]
  const found = tried.find((value) => value !== byDefault && schema.safeParse(value).data === value)
  if (found === undefined) throw new Error(`no other value for ${key}`)
  return found
}
