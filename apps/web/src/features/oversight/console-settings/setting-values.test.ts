import type { ConsoleSetting } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { settingChanges, valuesOf } from './setting-values.ts'

const SETTING: Omit<ConsoleSetting, 'key' | 'label' | 'kind' | 'value' | 'byDefault'> = {
  tab: 'basic',
  ...{ format: null, min: null, max: null, maxLength: null, choices: [] },
  ...{ isSet: false, restart: false, isWide: false, feature: null },
}
const SETTINGS: readonly ConsoleSetting[] = [
  {
    ...SETTING,
    key: 'reset',
    label: { 'zh-CN': '重设密码', 'en-US': 'Reset a password' },
    kind: 'switch',
    value: 1,
    byDefault: 0,
  },
  { ...SETTING, key: 'files', label: { 'zh-CN': '文件数', 'en-US': 'Files' }, kind: 'number', value: 5, byDefault: 10 },
  { ...SETTING, key: 'title', label: { 'zh-CN': '标题', 'en-US': 'Title' }, kind: 'text', value: '', byDefault: '' },
]

describe('the form of settings', () => {
  it('sends what differs, as the wire has it, and resets with the default', () => {
    const base = valuesOf(SETTINGS)
    expect(base).toEqual({ reset: 'on', files: '5', title: '' })
    expect(settingChanges(SETTINGS, base, base)).toEqual([])
    expect(settingChanges(SETTINGS, { reset: '', files: '10', title: 'Harbor' }, base)).toEqual([
      { key: 'reset', from: 1, value: null },
      { key: 'files', from: 5, value: null },
      { key: 'title', from: '', value: 'Harbor' },
    ])
  })
})
