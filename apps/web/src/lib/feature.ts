import type { MenuName } from '@godwit/contract/foundation/menus'
import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { ActionFacts } from './actions.tsx'
import type { PortalKey } from './texts.tsx'

/** A page of the portal. */
export interface PageDef {
  /** As the router has it; `$name` stands for one part. */
  readonly path: string
  /** What the tab is called. */
  readonly title: PortalKey | ((path: string) => PortalKey)
  readonly component: FunctionComponent
  /** The entry of the menu whose switch and edition decide who may open it; absent: everybody who is signed in. */
  readonly menu?: MenuName
}

/** An entry of the side menu. Its place, its address and who sees it are rules of the contract. */
export interface MenuItem {
  readonly name: MenuName
  readonly icon: LucideIcon
}

/** What a feature adds to the portal; the entry builds router, menu and list of keys from these. */
export interface Feature {
  readonly pages: readonly PageDef[]
  readonly menu: readonly MenuItem[]
  readonly actions: readonly ActionFacts[]
}
