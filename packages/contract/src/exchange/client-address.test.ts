import { assert, constantFrom, domain, integer, option, property, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, isServerOrigin, serverOfAddress, typedServer } from './client-address.ts'

const anyOrigin = tuple(constantFrom('http', 'https'), domain(), option(integer({ min: 1, max: 65_535 }))).map(
  ([scheme, host, port]) => new URL(`${scheme}://${host}${port === null ? '' : `:${port}`}`).origin,
)

describe('the address of the client', () => {
  it('brings the origin of any site to the client as it is', () => {
    assert(property(anyOrigin, (origin) => serverOfAddress(clientAddress(origin)) === origin))
    for (const origin of [
      'https://files.example.org',
      'http://files.example.org:7080',
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
      'https://xn--fsqu00a.xn--0zwm56d',
      'https://my_nas',
    ])
      expect(serverOfAddress(clientAddress(origin))).toBe(origin)
  })

  it('is read as systems hand it over: with a slash, or in capitals', () => {
    expect(serverOfAddress('godwit://open/?server=https%3A%2F%2Ffiles.example.org')).toBe('https://files.example.org')
    expect(serverOfAddress('GODWIT://OPEN?SERVER=https://files.example.org')).toBe('https://files.example.org')
  })

  it('gives nothing but the origin of a server, whatever it says', () => {
    const unit = integer({ min: 0, max: 0x7ff }).map((code) => String.fromCharCode(code))
    const words = string({ unit, maxLength: 40 })
    const withServer = tuple(anyOrigin, words).map(([origin, rest]) => `${clientAddress(origin)}${rest}`)
    const withMore = tuple(anyOrigin, words).map(([origin, rest]) => clientAddress(`${origin}${rest}`))
    const asServer = string({ unit, maxLength: 60 }).map(clientAddress)
    for (const address of [withServer, withMore, asServer, words])
      assert(
        property(address, (text) => {
          const server = serverOfAddress(text)
          return server === undefined || (new URL(server).origin === server && /^https?:\/\/[\w.:[\]-]+$/.test(server))
        }),
      )
  })

  it.each([
    ['another word', 'godwit://upload?server=https%3A%2F%2Fa.example'],
    ['a path', 'godwit://open/etc/passwd?server=https%3A%2F%2Fa.example'],
    ['a server before the word', 'godwit://a.example/open?server=https%3A%2F%2Fa.example'],
    ['a person before the word', 'godwit://ann:secret@open?server=https%3A%2F%2Fa.example'],
    ['a port after the word', 'godwit://open:80?server=https%3A%2F%2Fa.example'],
    ['no server', 'godwit://open'],
    ['an empty server', 'godwit://open?server='],
    ['another key', 'godwit://open?server=https%3A%2F%2Fa.example&token=1'],
    ['another key first', 'godwit://open?path=%2Fetc&server=https%3A%2F%2Fa.example'],
    ['two servers', 'godwit://open?server=https%3A%2F%2Fa.example&server=https%3A%2F%2Fb.example'],
    ['a fragment', 'godwit://open?server=https%3A%2F%2Fa.example#x'],
    ['another scheme', 'https://open?server=https%3A%2F%2Fa.example'],
    ['an option before it', '--token-file=/etc/passwd'],
    ['spaces around it', ' godwit://open?server=https%3A%2F%2Fa.example'],
    ['a line after it', 'godwit://open?server=https%3A%2F%2Fa.example\n'],
    ['a broken escape', 'godwit://open?server=https%3A%2F%2Fa.example%'],
    ['bytes that are no text', 'godwit://open?server=https%3A%2F%2F%ff'],
    ['an escape within an escape', 'godwit://open?server=https%253A%252F%252Fa.example'],
  ])('is refused with %s', (_what, address) => expect(serverOfAddress(address)).toBeUndefined())

  it.each([
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['another protocol', 'ftp://a.example'],
    ['a person', 'https://ann@a.example'],
    ['a password', 'https://ann:secret@a.example'],
    ['a path', 'https://a.example/evil'],
    ['a slash', 'https://a.example/'],
    ['a query', 'https://a.example?x'],
    ['a fragment', 'https://a.example#x'],
    ['letters that look like others', 'https://аpple.example'],
    ['capitals', 'https://A.example'],
    ['the port of its scheme', 'https://a.example:443'],
    ['a port that is none', 'https://a.example:99999'],
    ['a number in disguise', 'http://0x7f.1'],
    ['a backslash', String.raw`https:\\a.example`],
    ['a command', 'https://a.example;calc'],
    ['a quote', 'https://a.example" --token-file "x'],
    ['too long a name', `https://${'a.'.repeat(200)}example`],
  ])('is refused when its server has %s', (_what, server) => {
    expect(isServerOrigin(server)).toBe(false)
    expect(serverOfAddress(clientAddress(server))).toBeUndefined()
  })

  it('is refused when it is long, before anything is looked at', () => {
    expect(serverOfAddress(`godwit://open?server=${'%61'.repeat(1_000_000)}`)).toBeUndefined()
  })
})

describe('a server that somebody types', () => {
  it.each([
    ['files.example.org', 'https://files.example.org'],
    [' https://files.example.org/personal?path=/ ', 'https://files.example.org'],
    ['http://Files.Example.org:80', 'http://files.example.org'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['', undefined],
    ['two words', undefined],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
  ])('%j is %j', (text, server) => expect(typedServer(text)).toBe(server))
})
