import { describe, expect, it } from 'vitest'
import { findings as english } from './texts.en-us.ts'
import { type FindingKey, findingText, localeOf } from './texts.ts'
import { findings as chinese } from './texts.zh-cn.ts'

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted()
}

describe('the findings of the client', () => {
  it('say the same in both languages: who, what next, and the same values', () => {
    for (const [key, entry] of Object.entries(english)) {
      const other = chinese[key as FindingKey]
      expect(Object.keys(other), key).toEqual(Object.keys(entry))
      for (const part of Object.keys(entry) as Array<keyof typeof entry>)
        expect(placeholders(other[part] ?? ''), key).toEqual(placeholders(entry[part]))
    }
  })

  it('carry their values', () => {
    const values = { host: 'files.example.org', port: 8091, reason: '{host}' }
    const { text, who, next } = findingText('en-US', 'tcp-blocked', values)
    expect(text).toBe('The transfer port files.example.org:8091 cannot be reached by TCP: {host}.')
    expect(who).toContain('firewall')
    expect(next).toContain('port 8091')
    expect(findingText('zh-CN', 'udp-off', { mbps: 5 })).toEqual({
      text: '服务器已关闭 UDP，或此距离不使用 UDP；TCP 速度为 5 Mbit/s。',
    })
  })

  it('follow the language of the system', () => {
    expect(localeOf({ LANG: 'zh_CN.UTF-8' })).toBe('zh-CN')
    expect(localeOf({ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' })).toBe('en-US')
    expect(localeOf({})).toBe('en-US')
  })
})
