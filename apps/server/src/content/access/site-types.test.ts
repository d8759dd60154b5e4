import { describe, expect, it } from 'vitest'
import { userPrincipal } from '../../testing/principals.ts'
import { endingsIn, siteAndAccountRules } from './site-types.ts'
import { SITE_TYPE_SETTINGS } from './site-types.settings.ts'

describe('the types that a site takes', () => {
  it('are read as people write them', () => {
    expect(endingsIn(' pdf; .docx；*.tar.gz , ; .')).toEqual(['pdf', 'docx', 'tar.gz', ''])
    expect(endingsIn('')).toEqual([])
  })

  it('are refused when they are patterns or paths, which would match nothing', () => {
    const check = (text: string) => () =>
      SITE_TYPE_SETTINGS.check?.({ 'security.allowedTypes': '', 'security.deniedTypes': text })
    for (const text of ['a*', 'exe; b?', '/tmp/x', 'a b', 'c:\\x']) {
      expect(check(text), text).toThrow(expect.objectContaining({ code: 'PARAMETER_INVALID' }))
    }
    expect(check('exe; *.tar.gz; .')).not.toThrow()
  })

  it('come before the rules of the account, follow a change at once, and are nothing while both lists are empty', async () => {
    const texts = { 'security.allowedTypes': '', 'security.deniedTypes': '' }
    const rulesOf = siteAndAccountRules(() => Promise.resolve(texts))
    const principal = userPrincipal({ id: 'u1', home: 'u1' })
    const place = { kind: 'personal', spaceId: 1 } as const
    expect(await rulesOf(principal, place)).toEqual([])
    texts['security.deniedTypes'] = 'EXE; com'
    const [denied] = await rulesOf(principal, place)
    expect([denied?.deniedTypes, denied?.allowedTypes]).toEqual([new Set(['exe', 'com']), undefined])
    texts['security.allowedTypes'] = 'pdf'
    expect((await rulesOf(principal, place))[0]?.allowedTypes).toEqual(new Set(['pdf']))
  })
})
