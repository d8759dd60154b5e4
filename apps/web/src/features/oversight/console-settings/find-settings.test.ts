import type { ConsoleSetting } from '@godwit/contract'
import { SETTING_TEXT_KEYS, settingText } from '@godwit/i18n/setting-texts'
import { beforeAll, describe, expect, it } from 'vitest'
import { type HoldsPinyin, loadPinyin } from '../../../lib/pinyin.ts'
import { findSettings } from './find-settings.ts'

const REST: Omit<ConsoleSetting, 'key' | 'label'> = {
  ...{ tab: 'basic', kind: 'text', value: '', byDefault: '' },
  ...{ format: null, min: null, max: null, maxLength: null, choices: [] },
  ...{ isSet: false, restart: false, isWide: false, feature: null },
}
/** Every setting of the product, by the names that the console shows. */
const SETTINGS: readonly ConsoleSetting[] = SETTING_TEXT_KEYS.map((key) => ({
  ...REST,
  key,
  label: { 'zh-CN': settingText('zh-CN', key), 'en-US': settingText('en-US', key) },
}))

/** What administrators type, and the setting they mean. */
const QUERIES: ReadonlyArray<readonly [string, string]> = [
  ['weak password', 'security.weakPasswords'],
  ['forgotten', 'resetPasswordSwitch'],
  ['lock account', 'security.lockAttempts'],
  ['UPLOAD SPEED', 'transfer.uploadMbps'],
  ['watermark text', 'watermark.text'],
  ['primarycolor', 'primaryColor'],
  ['transfer port', 'transferPort'],
  ['弱密码', 'security.weakPasswords'],
  ['水印 文字', 'watermark.text'],
  ['上传速度', 'transfer.uploadMbps'],
  ['传输端口', 'transferPort'],
  ['禁止访问', 'security.deniedAddresses'],
  ['ruomima', 'security.weakPasswords'],
  ['rmm', 'security.weakPasswords'],
  ['shuiyin', 'watermark.text'],
  ['sy wenzi', 'watermark.text'],
  ['csdk', 'transferPort'],
  ['chuanshuduankou', 'transferPort'],
  ['liangbuyanzheng', 'security.secondFactor'],
  ['caidan', 'menu.files.myFileSwitch'],
  ['bfsl', 'backup.keep'],
  ['banben', 'versions.keep'],
]

describe('the search for settings', () => {
  let holdsPinyin: HoldsPinyin
  beforeAll(async () => void (holdsPinyin = await loadPinyin()))
  const keysOf = (text: string) => findSettings(SETTINGS, text, holdsPinyin).map(({ key }) => key)

  it.each(QUERIES)('finds by %j what is meant', (text, key) => {
    expect(keysOf(text)).toContain(key)
  })

  it('shows nothing for nothing, and for what is nowhere', () => {
    for (const text of ['', '  ', 'nothing like that', '没有这个东西', 'qqqq']) expect(keysOf(text)).toEqual([])
  })

  it('puts what has the letters themselves before what has them by sound', () => {
    const label = { 'zh-CN': '密码', 'en-US': 'Password' }
    const settings = [
      { ...REST, key: 'sound', label },
      { ...REST, key: 'mm', label: { 'zh-CN': '', 'en-US': '' } },
    ]
    expect(findSettings(settings, 'mm', holdsPinyin).map(({ key }) => key)).toEqual(['mm', 'sound'])
    expect(findSettings(settings, 'm', holdsPinyin).map(({ key }) => key)).toEqual(['mm'])
  })
})
