import { describe, expect, it } from 'vitest'
import { doctorTexts } from './doctor-texts.ts'
import { doctor as english } from './en-us/doctor.ts'
import { placeholders } from './placeholders.ts'
import { doctor as chinese } from './zh-cn/doctor.ts'

describe('texts of the doctor', () => {
  it('fill the same values in both languages', () => {
    for (const [key, text] of Object.entries(english)) {
      const other = chinese[key as keyof typeof english]
      expect([key, placeholders(other).toSorted()]).toEqual([key, placeholders(text).toSorted()])
    }
  })

  it('name the fix of a failure by its check where it has one', () => {
    const failed = (check: string) => doctorTexts('en-US', { check, code: 'failed', values: { reason: 'gone' } })
    expect(failed('storage')).toMatchObject({ title: 'Storage', message: 'gone' })
    expect(failed('storage').fix).toContain('godwit storage list')
    expect(failed('elsewhere')).toEqual({ title: 'elsewhere', message: 'gone', fix: 'see the message' })
  })

  it('have no fix where nothing is wrong', () => {
    expect(doctorTexts('zh-CN', { check: 'accounts', code: 'accounts.ok', values: {} })).toEqual({
      ...{ title: '管理员', message: '已有管理员' },
    })
  })
})
