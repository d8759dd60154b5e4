import { describe, expect, it } from 'vitest'
import { errorText, failureText } from './error-texts.ts'
import { LOCALES, pickLocale } from './locales.ts'
import { loadErrorTexts } from './portal.ts'

describe('text of an error', () => {
  it('gives the failure count, the lock period in minutes and the maximum for a wrong password', () => {
    const data = { loginFailTimes: 2, lockPeriod: 600, maxLockTimes: 5 }
    expect(errorText('en-US', 'PASSWORD_WRONG', data)).toContain('2 of 5; then the account is locked for 10 min')
    expect(errorText('zh-CN', 'PASSWORD_WRONG', data)).toContain('已失败 2 次，达到 5 次后账号将锁定 10 分钟')
  })

  it('rounds a lock period up to whole minutes', () => {
    const data = { loginFailTimes: 1, lockPeriod: 61, maxLockTimes: 3 }
    expect(errorText('en-US', 'PASSWORD_WRONG', data)).toContain('locked for 2 min')
  })

  it('falls back to the plain text when a number is missing', () => {
    expect(errorText('en-US', 'ACCOUNT_LOCKED')).toBe(errorText('en-US', 'ACCOUNT_LOCKED', { other: 1 }))
    expect(errorText('en-US', 'ACCOUNT_LOCKED')).not.toContain('{')
  })

  it('says whose space is full', () => {
    expect(errorText('en-US', 'QUOTA_EXCEEDED', { groupId: 0 })).toContain('Your space')
    expect(errorText('en-US', 'QUOTA_EXCEEDED', { groupId: 7 })).toContain('group’s library')
    expect(errorText('zh-CN', 'QUOTA_EXCEEDED', { groupId: 7 })).toContain('群组空间')
  })

  it('never copies a text from the data into the message', () => {
    expect(errorText('en-US', 'RATE_LIMITED', { retryAfterSeconds: '<b>/srv/data</b>' })).not.toContain('/srv')
    expect(errorText('en-US', 'NAME_INVALID', { fault: '/srv/data' })).toBe(errorText('en-US', 'NAME_INVALID'))
    expect(errorText('en-US', 'NAME_INVALID', { fault: 'constructor' })).toBe(errorText('en-US', 'NAME_INVALID'))
  })

  it('says how long an account stays locked, in whole minutes', () => {
    expect(errorText('en-US', 'ACCOUNT_LOCKED', { retryAfterSeconds: 61 })).toContain('in 2 min')
    expect(errorText('zh-CN', 'ACCOUNT_LOCKED', { retryAfterSeconds: 600 })).toContain('请 10 分钟后再试')
  })

  it('says which rule a name or a password breaks', () => {
    expect(errorText('en-US', 'NAME_INVALID', { fault: 'windows-reserved' })).toContain('reserved by Windows')
    expect(errorText('zh-CN', 'PASSWORD_WEAK', { faults: ['space', 'classes'] })).toBe('密码不能包含空格。')
    expect(errorText('en-US', 'SMTP_FAILED', { reason: 'refused' })).toContain('587 for STARTTLS')
    expect(errorText('zh-CN', 'MAIL_ACCOUNT_INVALID', { reason: 'credentials' })).toContain('应用专用密码')
    expect(errorText('zh-CN', 'SMTP_FAILED', { reason: 'constructor' })).toBe(errorText('zh-CN', 'SMTP_FAILED'))
    expect(errorText('en-US', 'PASSWORD_WEAK', { faults: [] })).toBe(errorText('en-US', 'PASSWORD_WEAK'))
  })
})

describe('text of an answer', () => {
  it('is the translated text of a known code', () => {
    expect(failureText('zh-CN', { code: 1008, message: 'permission denied' })).toBe(
      errorText('zh-CN', 'PERMISSION_DENIED'),
    )
  })

  it('is the same for 1037 and 1041', () => {
    expect(failureText('en-US', { code: 1037 })).toBe(failureText('en-US', { code: 1041 }))
  })

  it('is the message of an unknown code, else "Unknown error" with the code', () => {
    expect(failureText('en-US', { code: 9999, message: 'from the server' })).toBe('from the server')
    expect(failureText('en-US', { code: 9999, message: '' })).toBe('Unknown error (9999)')
    expect(failureText('zh-CN', { code: 9999 })).toBe('未知错误（9999）')
  })

  it('says that the server is overloaded or faulty when there is no envelope', () => {
    expect(failureText('en-US', { code: 0 })).toContain('overloaded or faulty')
    expect(failureText('zh-CN', { code: 0 })).toContain('负载过高或出现故障')
  })
})

describe('text of a refused input', () => {
  it.each(LOCALES)('names each reason for a name and a password in %s', async (locale) => {
    const { names, passwords } = await loadErrorTexts(locale)
    expect(new Set([...Object.values(names), ...Object.values(passwords)]).size).toBe(14)
  })
})

describe('locale of a request', () => {
  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en-US'],
    ['fr', 'en-US'],
    ['', 'en-US'],
    [undefined, 'en-US'],
  ])('%s reads %s', (header, locale) => {
    expect(pickLocale(header)).toBe(locale)
  })
})
