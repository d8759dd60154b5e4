import { describe, expect, it } from 'vitest'
import { faultOf, OtherCertificate } from './syslog.reasons.ts'

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code })

describe('why a collector took nothing', () => {
  it.each([
    ['ENOTFOUND', 'unknown-host'],
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ABORT_ERR', 'timeout'],
    ['ECONNRESET', 'disconnected'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no-tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['EWHATEVER', 'other'],
  ])('%s is %s', (code, reason) => {
    expect(faultOf(withCode(code))).toBe(reason)
  })

  it('is the certificate when it is another one than that of the settings', () => {
    expect(faultOf(new OtherCertificate('AB:CD'))).toBe('fingerprint')
  })

  it('is that of the first address where a name has several', () => {
    expect(faultOf(new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]))).toBe('refused')
    expect(faultOf(undefined)).toBe('other')
  })
})
