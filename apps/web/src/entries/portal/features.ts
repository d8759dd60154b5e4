import type { MenuName } from '@godwit/contract/foundation/menus'
import type { LucideIcon } from 'lucide-react'
import { feature as files } from '../../features/content/files/index.ts'
import { feature as groups } from '../../features/content/groups/index.ts'
import { feature as incoming } from '../../features/content/incoming/index.ts'
import { feature as marks } from '../../features/content/marks/index.ts'
import { feature as recycle } from '../../features/content/recycle/index.ts'
import { feature as uploads } from '../../features/content/uploads/index.ts'
import { feature as links } from '../../features/exchange/links/index.ts'
import { feature as transfers } from '../../features/exchange/transfers/index.ts'
import { feature as profile } from '../../features/identity/profile/index.ts'
import { feature as notices } from '../../features/oversight/notices/index.ts'
import type { ActionFacts } from '../../lib/actions.tsx'
import type { Feature, PageDef } from '../../lib/feature.ts'
import type { PortalKey } from '../../lib/texts.tsx'
import { feature as closedMenu } from './closed-menu.ts'
import { feature as shell } from './shell/shell-actions.ts'

/**
 * Everything the portal is made of. A new page is a feature's folder and a line here. A part that is loaded later takes what it
 * needs of this as a property: importing it there splits the first load into many small pieces.
 */
const FEATURES: readonly Feature[] = [
  files,
  groups,
  incoming,
  marks,
  recycle,
  uploads,
  links,
  transfers,
  profile,
  notices,
  closedMenu,
  shell,
]

export const PAGES: readonly PageDef[] = FEATURES.flatMap(({ pages }) => pages)

export const ACTIONS: readonly ActionFacts[] = FEATURES.flatMap(({ actions }) => actions)

export const MENU_ICONS: Readonly<Partial<Record<MenuName, LucideIcon>>> = Object.fromEntries(
  FEATURES.flatMap(({ menu }) => menu.map(({ name, icon }) => [name, icon])),
)

/** What the page at this path is called; undefined while the address still leads elsewhere. */
export function pageTitle(path: string): PortalKey | undefined {
  const title = PAGES.find((page) => fits(page.path, path))?.title
  return typeof title === 'function' ? title(path) : title
}

/** Whether the page at this path shows files, and with them the panel of uploads. */
export function isFilePage(path: string): boolean {
  return FILE_MENUS.has(PAGES.find((page) => fits(page.path, path))?.menu)
}

const FILE_MENUS: ReadonlySet<MenuName | undefined> = new Set(['personal', 'group'])

/** Part by part; `$name` stands for any. */
function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at])
}
