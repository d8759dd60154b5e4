import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dueReminder, checkPair, warningsOf } from './certificates.policy.ts'
import { pemBlocks } from './pem.ts'
import { makeSelfSigned } from './self-signed.ts'
import { codesOfDamagedPairs } from './testing/damaged-pairs.ts'

const DAY_MS = 24 * 3_600_000
const NOW = Date.UTC(2026, 10, 23)

describe('reminders of the end of a certificate', () => {
  const year = { notBefore: NOW, notAfter: NOW + 365 * DAY_MS }
  const dueAfter = (days: number, remindedDays: number) => dueReminder({ ...year, remindedDays }, NOW + days * DAY_MS)

  it('are due 30, 7 and 1 day before it, once each', () => {
    expect([334, 335, 336, 358, 364, 365, 400].map((days) => dueAfter(days, 0))).toEqual([
      undefined,
      30,
      30,
      7,
      1,
      1,
      1,
    ])
    expect(dueAfter(340, 30)).toBeUndefined()
    expect(dueAfter(358, 30)).toBe(7)
    expect(dueAfter(364, 7)).toBe(1)
    expect(dueAfter(400, 1)).toBeUndefined()
  })
  it('leave out what is longer than half the life of the certificate', () => {
    const short = { notBefore: NOW, notAfter: NOW + 20 * DAY_MS, remindedDays: 0 }
    expect(dueReminder(short, NOW)).toBeUndefined()
    expect(dueReminder(short, NOW + 14 * DAY_MS)).toBe(7)
  })
})

describe('a certificate that signs itself', () => {
  const serial = new Uint8Array(16).fill(0xff)
  it('is one that the checks take and that says its names', async () => {
    const names = ['files.example.org', '*.example.org', '192.0.2.7', '::ffff:192.0.2.1', 'fe80::1']
    const made = await makeSelfSigned({ names, days: 30, now: NOW, serial })
    const { pem, facts } = checkPair(made, NOW)
    const certificate = new X509Certificate(pem)
    expect(facts.notAfter).toBe(NOW + 30 * DAY_MS)
    expect(certificate.checkHost('a.example.org')).toBe('*.example.org')
    expect(certificate.checkIP('192.0.2.7')).toBe('192.0.2.7')
    expect(certificate.checkIP('fe80::1')).toBe('fe80::1')
    expect(certificate.ca).toBe(false)
    expect(certificate.serialNumber).toBe('FF'.repeat(16))
    const at = (siteHost: string, now = NOW) => warningsOf(pem, { siteHost, now })
    expect(at('files.example.org')).toEqual(['self-signed', 'expires-soon'])
    expect(at('other.example.net')).toEqual(['name-not-covered', 'self-signed', 'expires-soon'])
    expect(at('192.0.2.7', NOW + 31 * DAY_MS)).toEqual(['self-signed', 'expired'])
  })
  it('may end after 2050', async () => {
    const made = await makeSelfSigned({ names: ['a'], days: 1, now: Date.UTC(2050, 0, 2), serial: new Uint8Array(16) })
    expect(new X509Certificate(made.certificate).validTo).toBe('Jan  3 00:00:00 2050 GMT')
  })
})

describe('PEM blocks', () => {
  it('are found between whatever stands around them, and never half', () => {
    const block = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    expect(pemBlocks(`x${block}y${block}`).map(({ label }) => label)).toEqual(['CERTIFICATE', 'CERTIFICATE'])
    expect(pemBlocks(block.slice(0, -1))).toEqual([])
    expect(pemBlocks(`-----BEGIN -----BEGIN X-----\n${block}`)).toHaveLength(1)
    expect(pemBlocks('-----BEGIN '.repeat(10_000))).toEqual([])
  })
})

describe('200 damaged certificates and keys', () => {
  it('each get a code or are sound', async () => {
    const codes = [...(await codesOfDamagedPairs(200, 13))]
    expect(codes.filter((code) => !/^(?:sound|CERTIFICATE_\w+)$/.test(code))).toEqual([])
    expect(codes.length).toBeGreaterThan(3)
  })
})
