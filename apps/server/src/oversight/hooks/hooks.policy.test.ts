import { describe, expect, it } from 'vitest'
import { bodyOf, hookAddress, hostOf, signatureOf, waitAfter } from './hooks.policy.ts'

describe('a webhook', () => {
  it('is signed as Standard Webhooks does', () => {
    const call = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    expect(signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', call)).toBe(signature)
  })

  it('is tried for a day, and then given up', () => {
    const waits = Array.from({ length: 11 }, (_each, at) => waitAfter(at + 1))
    expect(waits.at(-1)).toBeUndefined()
    const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThan(25)
  })

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:password@example.org/',
    'https://example.org/#part',
    'https://example.org/\r\nX-Evil: 1',
    'https://exa\tmple.org/',
    'https:// example.org',
    'example.org',
    '',
  ])('is not sent to %j', (url) => expect(hookAddress(url)).toBeUndefined())

  it('names an IPv6 address without its brackets, and a number for what it is', () => {
    expect(hostOf(new URL('http://[::1]:9/a'))).toBe('::1')
    expect(hostOf(new URL('http://2130706433/'))).toBe('127.0.0.1')
    expect(hostOf(new URL('https://example.org/'))).toBe('example.org')
  })

  it('leaves out a payload that is too long', () => {
    const body = JSON.parse(bodyOf('file.moved', { at: 0, path: 'x'.repeat(70_000) }, 5)) as object
    expect(body).toEqual({
      ...{ type: 'file.moved', version: 1, timestamp: '1970-01-01T00:00:00.000Z' },
      data: { isTooLong: true },
    })
  })
})
