import { describe, expect, it } from 'vitest'
import { requireSameOrigin } from './origin.ts'

function request(method: string, headers: Readonly<Record<string, string>>) {
  return { method, headers: { host: 'files.example.org', ...headers } }
}

describe('changing requests of other sites', () => {
  it.each([
    ['POST', { origin: 'https://evil.example' }],
    ['PUT', { origin: 'null' }],
    ['DELETE', { 'sec-fetch-site': 'cross-site' }],
    ['PATCH', { 'sec-fetch-site': 'same-site' }],
    ['POST', { origin: 'https://files.example.org.evil.example' }],
    ['POST', { origin: 'https://files.example.org', 'sec-fetch-site': 'cross-site' }],
  ])('%s with %o is refused', (method, headers) => {
    expect(() => requireSameOrigin(request(method, headers))).toThrow('ORIGIN_REFUSED')
  })
  it.each([
    ['GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['POST', {}],
    ['POST', { origin: 'https://files.example.org', 'sec-fetch-site': 'same-origin' }],
    ['PUT', { 'sec-fetch-site': 'none' }],
  ])('%s with %o is let through', (method, headers) => {
    expect(() => requireSameOrigin(request(method, headers))).not.toThrow()
  })
})
