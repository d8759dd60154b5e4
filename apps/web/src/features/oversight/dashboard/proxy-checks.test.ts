import { describe, expect, it } from 'vitest'
import { proxyFindings, type Seen } from './proxy-checks.ts'

const PROBE = { bytes: 8, address: '203.0.113.9', isSecure: true, isIgnored: false }
const GOOD: Seen = { probe: PROBE, sentBytes: 8, hasSocket: true, paceMs: 1_490, isHttps: true }

const wrong = (seen: Partial<Seen>) =>
  proxyFindings({ ...GOOD, ...seen })
    .filter(({ isGood }) => !isGood)
    .map(({ check }) => check)

describe('what a browser finds out about the proxies', () => {
  it('is nothing where everything passes', () => {
    expect(wrong({})).toEqual([])
  })

  it('names what is cut off, with the lines that mend it', () => {
    expect(wrong({ hasSocket: false })).toEqual(['socket'])
    const [body] = proxyFindings({ ...GOOD, probe: undefined })
    expect(body).toMatchObject({
      check: 'body',
      isGood: false,
      nginx: expect.arrayContaining(['client_max_body_size 0;']) as unknown,
    })
  })

  it('tells a proxy that is not trusted, and one that hides HTTPS', () => {
    expect(wrong({ probe: { ...PROBE, isIgnored: true } })).toEqual(['address'])
    expect(wrong({ probe: { ...PROBE, isSecure: false } })).toEqual(['protocol'])
    expect(wrong({ isHttps: false, probe: { ...PROBE, isSecure: false } })).toEqual([])
  })

  it('reports one that holds answers back, with the lines that mend it for each kind', () => {
    expect(wrong({ paceMs: 3 })).toEqual(['answers'])
    expect(wrong({ paceMs: undefined })).toEqual([])
    const found = proxyFindings({ ...GOOD, paceMs: 3 }).find(({ check }) => check === 'answers')
    expect(found?.nginx).toContain('proxy_buffering off;')
    expect(found?.caddy.join(' ')).toContain('flush_interval -1')
    expect(found?.traefik.join(' ')).toContain('flushInterval')
  })

  it('claims nothing of what it could not ask', () => {
    expect(proxyFindings({ ...GOOD, probe: undefined, paceMs: undefined }).map(({ check }) => check)).toEqual([
      'body',
      'socket',
    ])
  })
})
