import type { SiteInfo } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { describe, expect, it } from 'vitest'
import { drawFirstView } from './first-view.tsx'

const SITE = {
  ...{ position: 6, primaryColor: '#0b6e4f', cardTransparency: 0, backgroundColor: '', englishOnly: 0 },
  ...{ productNameEN: 'Heron <b>', productNameZH: '苍鹭', urlName: '', is_logo_change: 0, is_bg_change: 0 },
  ...{ companyEN: '', companyZH: '', companyLink: '', companyLinkEN: '', androidLink: '', iosLink: '' },
  ...{ resetPasswordSwitch: 1, setupNeeded: false, isPaused: false, signOns: [] },
} as unknown as SiteInfo

const drawnOf = async (site: Partial<SiteInfo>, locale: 'zh-CN' | 'en-US' = 'en-US', under = '/signin') =>
  drawFirstView({ under, locale, isPhone: false }, { [routes.site.website.path]: { ...SITE, ...site } })

describe('the sign-in as the server draws it', () => {
  it('has the look of the site, in the language asked for', async () => {
    const [english, chinese] = [await drawnOf({}), await drawnOf({}, 'zh-CN')]
    expect(english?.title).toBe('Sign in - Heron &lt;b&gt;')
    expect(english?.body).toContain('Sign in to Heron &lt;b&gt;</h1>')
    expect(english?.style).toContain('--brand-light:#0B6E4F')
    expect(chinese?.body).toContain('苍鹭')
    expect((await drawnOf({ isPaused: true }))?.body).not.toBe(english?.body)
  })

  it('takes what is typed, and has nothing that could send it', async () => {
    const named = ' type="submit"'
    const drawn = await drawnOf({ productNameEN: named, signOns: [{ id: 1, nameEN: named, nameZH: '' }] as never })
    const tags = (name: string) => drawn?.body.match(/<\w+[^>]*>/g)?.filter((tag) => tag.startsWith(`<${name} `)) ?? []
    expect(drawn?.isLive).toBe(true)
    expect(tags('input')).toHaveLength(2)
    // Each may be reached by the keyboard as on the page, none submits the form, and the names are as they were.
    expect(drawn?.body).not.toContain('disabled')
    expect(tags('button').length).toBeGreaterThan(3)
    for (const button of tags('button')) expect(button).toContain('type="button"')
    expect(tags('button').filter((button) => button.includes('data-submit'))).toHaveLength(1)
    expect(drawn?.body.split(' type=&quot;submit&quot;')).toHaveLength(3)
  })

  it('marks what only some browsers have', async () => {
    const marked = async (site: Partial<SiteInfo>) => ((await drawnOf(site))?.body.match(/data-passkeys/g) ?? []).length
    expect(await marked({})).toBe(2)
    expect(await marked({ signOns: [{ id: 1, nameEN: 'Staff', nameZH: '' }] as never })).toBe(1)
  })

  it('is there for nobody who sees something else', async () => {
    expect(await drawnOf({ setupNeeded: true })).toBeUndefined()
    expect(await drawnOf({}, 'en-US', '/share')).toBeUndefined()
    expect(await drawFirstView({ under: '/signin', locale: 'en-US', isPhone: false }, {})).toBeUndefined()
  })
})
