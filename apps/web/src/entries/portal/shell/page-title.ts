import { MENU, MENU_ORDER } from '@godwit/contract/foundation/menus'
import type { PortalKey } from '../../../lib/texts.tsx'

const OTHERS: ReadonlyArray<readonly [path: string, title: PortalKey]> = [
  ['/group/detail', 'menu.group'],
  ['/profile/info', 'profile.info'],
  ['/profile/password', 'profile.password'],
  ['/profile/email', 'profile.email'],
  ['/profile/security', 'profile.security'],
  ['/profile/tokens', 'profile.tokens'],
  ['/profile', 'pages.profile'],
  ['/notification', 'notices.title'],
]

/** What the page at this path is called; undefined while the address still leads elsewhere. */
export function pageTitle(path: string): PortalKey | undefined {
  const name = MENU_ORDER.find((each) => MENU[each].path === path)
  if (name !== undefined) return `menu.${name}`
  return OTHERS.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1]
}
