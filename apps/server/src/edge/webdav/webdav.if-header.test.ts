import { describe, expect, it } from 'vitest'
import { lockTokenIn, lockTokenUrl, parseIf, submittedTokens, timeoutIn } from './webdav.if-header.ts'
import { hrefOf, namesOf, namesOfUrl } from './webdav.paths.ts'

const TOKEN = '0123456789abcdef0123456789abcdef'

describe('the If header (RFC 4918 §10.4)', () => {
  it('reads lists for the resource of the request, and for others', () => {
    expect(parseIf('(<urn:a> ["e"]) (Not <urn:b>)')).toEqual([
      {
        resource: undefined,
        conditions: [
          { isNegated: false, kind: 'token', value: 'urn:a' },
          { isNegated: false, kind: 'etag', value: '"e"' },
        ],
      },
      { resource: undefined, conditions: [{ isNegated: true, kind: 'token', value: 'urn:b' }] },
    ])
    expect(parseIf('</dav/x> (<urn:a>) </dav/y> (["e"])').map(({ resource }) => resource)).toEqual(['/dav/x', '/dav/y'])
  })

  it.each(['', '()', '(', ')', '<urn:a>', '(<urn:a>', '(Not)', '(Not Not <urn:a>)', 'x', '(<a>) x', '('.repeat(500)])(
    'refuses %j',
    (header) => {
      expect(() => parseIf(header)).toThrow(expect.objectContaining({ code: 'PARAMETER_INVALID' }))
    },
  )

  it('takes only what is not denied as shown', () => {
    expect([...submittedTokens(parseIf('(<urn:a> Not <urn:b>)'))]).toEqual(['urn:a'])
  })

  it('knows its own tokens, and no others', () => {
    expect(lockTokenIn(lockTokenUrl(TOKEN))).toBe(TOKEN)
    for (const url of ['', 'DAV:no-lock', `urn:uuid:${TOKEN}`, 'opaquelocktoken:x']) {
      expect(lockTokenIn(url)).toBeUndefined()
    }
  })

  it('keeps a timeout within its limit', () => {
    expect(timeoutIn(undefined, 3_600_000)).toBe(3_600_000)
    expect(timeoutIn('Infinite, Second-60', 3_600_000)).toBe(60_000)
    expect(timeoutIn('Second-4100000000', 3_600_000)).toBe(3_600_000)
  })
})

describe('paths of WebDAV', () => {
  it('are decoded once, name by name', () => {
    expect(namesOf('/a%20b/%25/ü/')).toEqual(['a b', '%', 'ü'])
    for (const rest of ['a/../b', 'a/%2e%2e/b', 'a%2fb', '%00', '%ff', '.']) {
      expect(() => namesOf(rest)).toThrow(expect.objectContaining({ code: 'PATH_NOT_FOUND' }))
    }
  })

  it('come back as they were', () => {
    const names = ['a b', "it's (1)!", '100%', 'ü', '文件', '#?;&=+$,', '👩‍🚀']
    expect(namesOf(hrefOf(names, true).slice('/dav'.length))).toEqual(names)
  })

  it('of another server, and outside of the tree, are none', () => {
    expect(namesOfUrl('http://host:1/dav/a', 'host:1')).toEqual(['a'])
    expect(namesOfUrl('/dav/a', 'host:1')).toEqual(['a'])
    for (const url of [
      'http://other/dav/a',
      '/x/a',
      '/davy/a',
      'dav/a',
      'ftp://host:1/dav/a',
      'http://u@host:1/dav/a',
    ]) {
      expect(namesOfUrl(url, 'host:1')).toBeUndefined()
    }
  })
})
