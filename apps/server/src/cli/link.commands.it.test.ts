import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, verify, visit, type Sharing } from '../exchange/links/testing/guests.ts'
import { openSite, type Site } from '../security/testing/sites.ts'

describe('godwit link', () => {
  let site: Site
  let mei: Sharing
  let tom: Sharing

  beforeAll(async () => {
    site = await openSite({ env: { GODWIT_PUBLIC_URL: 'https://files.example.org' } })
    mei = await openSharing(site, 'mei')
    tom = await openSharing(site, 'tom')
    mei.put('plans/a.txt', 'alpha')
    mei.put('plans/b.txt', 'beta')
    tom.put('inbox/c.txt', 'gamma')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  /** @returns the exit code and what was printed */
  async function godwit(words: string): Promise<{ readonly code: number; readonly printed: string }> {
    const before = site.printed().length
    const code = await site.cli(`link ${words}`)
    return { code, printed: site.printed().slice(before) }
  }
  const listed = async (options: string) => {
    const { printed } = await godwit(`list --json${options}`)
    return (JSON.parse(printed) as { readonly links: ReadonlyArray<{ readonly linkId: string }> }).links.map(
      ({ linkId }) => linkId,
    )
  }

  it('lists links of all accounts by what they are, and shows one without its password', async () => {
    const share = await mei.link({
      shareServerPath: '/plans',
      shareFiles: ['a.txt', 'b.txt'],
      needPassword: true,
      shareUrlPasswd: 'Rose',
    })
    const invite = await tom.link({ shareUrlType: 0, shareServerPath: '/inbox' })
    expect((await listed('')).toSorted()).toEqual([share, invite].toSorted())
    expect(await listed(' --type invite')).toEqual([invite])
    expect(await listed(' --account mei')).toEqual([share])
    expect(await listed(' --search B.TXT')).toEqual([share])
    expect(await listed(' --status canceled')).toEqual([])
    expect((await godwit('list')).printed).toContain('/plans/a.txt and 1 more')
    const { code, printed } = await godwit(`show https://files.example.org/share/${share}`)
    expect(code).toBe(0)
    expect(printed).toContain(`https://files.example.org/share/${share}`)
    expect(printed).toContain('share link of mei, normal')
    expect(printed).toContain('password  yes')
    expect(printed + (await godwit(`show ${share} --json`)).printed).not.toContain('Rose')
  })

  it('disables, enables and deletes, beside a running server', async () => {
    const url = await mei.link({ shareServerPath: '/plans' })
    const guest = await visit(site, url)
    expect((await godwit(`disable ${url}`)).printed).toContain(`Disabled link ${url} of mei.`)
    expect((await guest.ask('list', { folder: '/' })).code).toBe(1009)
    expect((await verify(site, { url })).code).toBe(1041)
    expect(await listed(' --status canceled')).toEqual([url])
    expect((await godwit(`enable ${url}`)).code).toBe(0)
    expect(await (await visit(site, url)).list()).toEqual(['/a.txt', '/b.txt'])
    expect((await godwit(`delete ${url}`)).code).toBe(0)
    expect((await verify(site, { url })).code).toBe(4025)
  })

  it('refuses what it does not know, without a trace', async () => {
    for (const words of ['show', 'disable', 'enable', 'delete'])
      expect((await godwit(`${words} ${'0'.repeat(32)}`)).code).not.toBe(0)
    expect((await godwit('list --type both')).code).not.toBe(0)
    expect((await godwit('list --status lost')).code).not.toBe(0)
    expect((await godwit('list --limit 0')).code).not.toBe(0)
    expect((await godwit('list --account nobody')).code).not.toBe(0)
  })
})
