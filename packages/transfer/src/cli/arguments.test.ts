import { describe, expect, it } from 'vitest'
import { endpointOf, rateOf } from './arguments.ts'

describe('the command line of gwt', () => {
  it('takes a host with or without a port, and no port that does not exist', () => {
    expect(endpointOf('host')).toEqual({ host: 'host', port: 32_001 })
    expect(endpointOf('[::1]:65535')).toEqual({ host: '::1', port: 65_535 })
    for (const text of ['host:0', 'host:65536', 'host:99999'])
      expect(() => endpointOf(text), text).toThrow('not a port')
  })

  it('takes no rate at which a transfer would never end', () => {
    expect(rateOf('rate', '1.5G')).toBe(1.5e9)
    for (const text of ['0', '0.0k', 'fast', '-1']) expect(() => rateOf('rate', text), text).toThrow('takes a rate')
  })
})
