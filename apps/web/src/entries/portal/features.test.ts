import { MENU, MENU_ORDER } from '@godwit/contract/foundation/menus'
import { describe, expect, it } from 'vitest'
import { ACTIONS, MENU_ICONS, pageTitle, PAGES } from './features.ts'

describe('the features of the portal', () => {
  it('give each entry of the menu an icon, and a page at its address that obeys its switch', () => {
    for (const name of MENU_ORDER) {
      expect(MENU_ICONS[name], name).toBeDefined()
      expect(PAGES.filter(({ path }) => path === MENU[name].path).map(({ menu }) => menu)).toEqual([name])
    }
  })

  it('claim no address twice and name no two actions alike', () => {
    const paths = PAGES.map(({ path }) => path)
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
    const names = ACTIONS.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('name the tab by the address, and nothing at an address that leads on', () => {
    expect(pageTitle('/personal')).toBe('menu.personal')
    expect(pageTitle('/group/detail/7')).toBe('menu.group')
    expect(pageTitle('/profile/tokens')).toBe('profile.tokens')
    expect(pageTitle('/profile/unknown')).toBe('pages.profile')
    expect(pageTitle('/review')).toBe('menu.review')
    expect(pageTitle('/review/pending')).toBe('menu.reviewPending')
    expect(pageTitle('/')).toBeUndefined()
    expect(pageTitle('/elsewhere')).toBeUndefined()
  })
})
