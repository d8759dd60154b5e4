import { MENU, MENU_ORDER } from '@godwit/contract'
import { expect, it } from 'vitest'
import { MENU_ENTRIES } from './menu-entries.ts'

it('the preview has the entries of the menu, in its order', () => {
  const entries = MENU_ORDER.map((name) => [`menu.${MENU[name].group}.${MENU[name].switch}`, `menu.${name}`])
  expect(MENU_ENTRIES).toEqual(entries)
})
