import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS, environmentName, flagName, type ConfigName } from './keys.ts'
import { ConfigError, loadConfig, type ConfigInputs } from './load.ts'

function inputs(change: Partial<ConfigInputs> = {}): ConfigInputs {
  return { environment: {}, flags: {}, readSecret: () => 'from-a-file\n', ...change }
}

function faultsOf(change: Partial<ConfigInputs>) {
  try {
    loadConfig(inputs(change))
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.faults
    throw thrown
  }
  return []
}

/** A value that every key accepts and that differs from its default. */
function sample(name: string): string {
  if (name === 'trustedProxies') return '192.0.2.7'
  if (name === 'database.url') return 'mysql://u:p@db:3306/godwit'
  if (name === 'redis.url') return 'redis://cache:6379/1'
  if (name === 'publicUrl') return 'https://files.example.org'
  if (name === 'log.level') return 'debug'
  if (name === 'security.passwordPreset') return 'strict'
  if (name === 'upload.partBytes') return '8388608'
  if (name === 'recycle.retentionDays') return '90'
  if (name === 'http.bodyMemoryBytes') return '268435456'
  if (name === 'http.allowedOrigins') return 'https://www.example.org'
  if (name === 'mail.encryption') return 'ssl'
  if (name === 'http.nodeInternals' || name === 'tls.http2') return 'off'
  if (name === 'hooks.folder') return '/srv/hooks'
  if (name === 'licence.issuerKey') return `MCowBQYDK2VwAyEA${'A'.repeat(43)}=`
  if (name === 'tls.redirect' || name === 'tls.selfSigned') return 'on'
  if (name === 'tls.port' || name === 'tls.hstsDays') return '7'
  if (name === 'port' || name === 'mail.port' || /\.(max|quota|reserve|grant|lock|idle)/.test(name)) return '7'
  return 'x-value'
}

/** Of these the sample holds a secret. */
const HELD_SECRET: ReadonlySet<string> = new Set(['admin.password', 'mail.password', 'database.url'])

const BROKEN: ReadonlyArray<readonly [ConfigName, string]> = [
  ['host', ''],
  ['port', '65536'],
  ['port', '-1'],
  ['port', '80a'],
  ['tls.port', '70000'],
  ['tls.redirect', 'yes'],
  ['tls.hstsDays', '731'],
  ['tls.http2', 'true'],
  ['tls.selfSigned', '1'],
  ['data', ''],
  ['publicUrl', 'files.example.org'],
  ['publicUrl', 'https://example.org/files'],
  ['database.url', 'postgres://db/godwit'],
  ['database.url', 'db:3306'],
  ['redis.url', 'cache:6379'],
  ['log.level', 'loud'],
  ['trustedProxies', '10.0.0.0/33'],
  ['outbound.allow', '10.0.0.300'],
  ['http.allowedOrigins', '*'],
  ['http.nodeInternals', 'no'],
  ['hooks.folder', 'hooks'],
  ['licence.issuerKey', 'MCowBQYDK2VwAyEAshort'],
  ['mail.port', '99999'],
  ['mail.encryption', 'tls'],
  ['upload.maxBytes', '1e9'],
  ['upload.partBytes', '1'],
  ['upload.grantHours', '0'],
  ['user.quotaBytes', '-1'],
  ['recycle.retentionDays', '31'],
  ['storage.reserveBytes', '64M'],
  ['security.lockAttempts', '2'],
  ['security.lockMinutes', '0'],
  ['security.idleMinutes', '0'],
  ['security.passwordPreset', 'none'],
]

describe('settings', () => {
  it('take defaults < file < environment < flags', () => {
    const file = { port: 1 }
    const environment = { GODWIT_PORT: '2' }
    expect(loadConfig(inputs()).config.port).toBe(8090)
    expect(loadConfig(inputs({ file })).config.port).toBe(1)
    expect(loadConfig(inputs({ file, environment })).config.port).toBe(2)
    const all = loadConfig(inputs({ file, environment, flags: { port: '3' } }))
    expect(all.config.port).toBe(3)
    expect(all.sources.port).toBe('flag')
  })
  it.each(Object.keys(CONFIG_KEYS))('%s can be set by its environment twin and its flag', (name) => {
    const value = sample(name)
    const byEnvironment = loadConfig(inputs({ environment: { [environmentName(name)]: value } }))
    expect(byEnvironment.sources).toMatchObject({ [name]: 'environment' })
    const flags = { [flagName(name)]: value }
    if (HELD_SECRET.has(name)) {
      const message = expect.stringContaining(`${environmentName(name)}_FILE`) as string
      expect(faultsOf({ flags })).toEqual([{ key: name, source: 'flag', message }])
    } else expect(loadConfig(inputs({ flags })).config).toEqual(byEnvironment.config)
  })
  it('take an address from a flag as long as there is no password in it', () => {
    const flags = { 'database-url': 'mysql://godwit@db/godwit', 'redis-url': 'redis://cache:6379/1' }
    expect(loadConfig(inputs({ flags })).config).toMatchObject({ 'database.url': flags['database-url'] })
  })
  it.each(BROKEN)('name the key at fault: %s = %j', (key, value) => {
    for (const source of ['file', 'environment'] as const) {
      const change = source === 'file' ? { file: { [key]: value } } : { environment: { [environmentName(key)]: value } }
      expect(faultsOf(change)).toEqual([{ key, source, message: expect.stringMatching(/\w/) as string }])
    }
  })
  it.each(['', ' ', '0x50', '1e3', '7.5', 'eighty'])('take %j for no number', (text) => {
    for (const name of ['port', 'mail.port', 'upload.maxBytes', 'recycle.retentionDays', 'security.lockMinutes']) {
      expect(faultsOf({ environment: { [environmentName(name)]: text } })).toMatchObject([{ key: name }])
    }
  })
  it('take exact origins of other sites and nothing else', () => {
    const allowed = (text: string) => inputs({ environment: { GODWIT_HTTP_ALLOWED_ORIGINS: text } })
    const good = 'https://www.example.org, http://localhost:3000'
    expect(loadConfig(allowed(good)).config['http.allowedOrigins']).toEqual(good.split(', '))
    for (const text of ['*', 'null', 'www.example.org', 'https://a.example/', 'https://*.example', 'ftp://a.example']) {
      expect(() => loadConfig(allowed(text)), text).toThrow(/origins/)
    }
  })
  it('take addresses and ranges of trusted proxies and nothing else', () => {
    const trusted = (text: string) => inputs({ environment: { GODWIT_TRUSTED_PROXIES: text } })
    const good = '192.0.2.7, 10.0.0.0/8,::1,fd00::/8'
    expect(loadConfig(trusted(good)).config.trustedProxies).toEqual(good.split(/, ?/))
    for (const text of ['proxy', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.0.0.1, x']) {
      expect(faultsOf(trusted(text))).toMatchObject([{ key: 'trustedProxies' }])
    }
  })
  it('take addresses, ranges and names inside the house and nothing else', () => {
    const allowed = (text: string) => inputs({ environment: { GODWIT_OUTBOUND_ALLOW: text } })
    const good = 'mail, mail.example.org,10.0.0.0/8,fd00::/8'
    expect(loadConfig(allowed(good)).config['outbound.allow']).toEqual(good.split(/, ?/))
    for (const text of ['10.0.0.0/', '10.0.0.0/33', '10.0.0.300', 'a b', 'http://mail', 'mail/8']) {
      expect(faultsOf(allowed(text))).toMatchObject([{ key: 'outbound.allow' }])
    }
  })
  it('take nothing but a number for one in the file', () => {
    for (const port of [true, null, [], [80], {}, 80.5]) expect(faultsOf({ file: { port } })).not.toEqual([])
    expect(loadConfig(inputs({ file: { port: '80' } })).config.port).toBe(80)
  })
  it('are nested or dotted in the file', () => {
    const nested = loadConfig(inputs({ file: { upload: { maxBytes: 5 } } }))
    const dotted = loadConfig(inputs({ file: { 'upload.maxBytes': 5 } }))
    expect(nested.config).toEqual(dotted.config)
  })
  it('read secrets from the file that the _FILE twin names', () => {
    const { config } = loadConfig(inputs({ environment: { GODWIT_ADMIN_PASSWORD_FILE: '/run/secret' } }))
    expect(config['admin.password']).toBe('from-a-file')
  })
  it('name every fault at once, with key and source', () => {
    const faults = faultsOf({ file: { prot: 1, host: '' }, environment: { GODWIT_PORT: 'eighty' } })
    expect(faults.map(({ key, source }) => `${key}@${source}`)).toEqual(['host@file', 'port@environment', 'prot@file'])
  })
  it('refuse a variable that is no setting, naming the nearest one', () => {
    const environment = { GODWIT_DATABSE_URL: 'mysql://db/x', GODWIT_QQQQQQ: '1', GODWIT_CONFIG: 'x', OTHER: 'y' }
    expect(faultsOf({ environment })).toEqual([
      {
        key: 'GODWIT_DATABSE_URL',
        source: 'environment',
        message: 'no such setting; did you mean GODWIT_DATABASE_URL?',
      },
      { key: 'GODWIT_QQQQQQ', source: 'environment', message: 'no such setting' },
    ])
  })
  it('suggest the key that differs only in case', () => {
    expect(faultsOf({ file: { publicurl: '' } })[0]?.message).toContain('publicUrl')
  })
  it('refuse a file that is not an object', () => {
    expect(faultsOf({ file: [1] })).toHaveLength(1)
  })
})
