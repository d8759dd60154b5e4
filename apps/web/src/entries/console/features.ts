import { feature as links } from '../../features/exchange/console-links/index.ts'
import { feature as transfers } from '../../features/exchange/console-transfers/index.ts'
import { feature as recycle } from '../../features/content/console-recycle/index.ts'
import { hasRight, type RightsOf } from '../../features/identity/administration/index.ts'
import { features as administrators } from '../../features/identity/console-administrators/index.ts'
import { feature as devices } from '../../features/identity/console-devices/index.ts'
import { feature as authentication } from '../../features/identity/console-authentication/index.ts'
import { feature as departments } from '../../features/identity/console-departments/index.ts'
import { feature as groups } from '../../features/identity/console-groups/index.ts'
import { feature as log } from '../../features/identity/console-log/index.ts'
import { feature as spaces } from '../../features/identity/console-spaces/index.ts'
import { feature as storages } from '../../features/identity/console-storages/index.ts'
import { feature as users } from '../../features/identity/console-users/index.ts'
import { feature as announcements } from '../../features/oversight/announcements/index.ts'
import { feature as licence } from '../../features/oversight/licence/index.ts'
import { feature as certificates } from '../../features/foundation/console-certificates/index.ts'
import { feature as hooks } from '../../features/oversight/hooks/index.ts'
import { feature as database } from '../../features/oversight/console-database/index.ts'
import { feature as settings } from '../../features/oversight/console-settings/index.ts'
import { feature as dashboard } from '../../features/oversight/dashboard/index.ts'
import {
  CONSOLE_SECTIONS,
  type ConsoleFeature,
  type ConsolePage,
  type ConsoleSection,
} from '../../lib/console-feature.ts'

/** Everything the console is made of. A new page is a feature's folder and a line here. */
const FEATURES: readonly ConsoleFeature[] = [
  dashboard,
  users,
  departments,
  groups,
  ...administrators,
  authentication,
  spaces,
  storages,
  links,
  transfers,
  recycle,
  devices,
  log,
  announcements,
  settings,
  database,
  certificates,
  hooks,
  licence,
]

export const PAGES: readonly ConsolePage[] = FEATURES.flatMap(({ pages }) => pages)

export const SEARCHES = FEATURES.flatMap(({ searches = [] }) => searches)

export interface MenuSection {
  readonly section: ConsoleSection
  readonly pages: ReadonlyArray<ConsolePage & Required<Pick<ConsolePage, 'menu'>>>
}

/** The menu of this administrator: what their rights open, and no section without an entry. */
export function menuOf(me: RightsOf): readonly MenuSection[] {
  const open = PAGES.filter((page): page is MenuSection['pages'][number] => page.menu !== undefined).filter((page) =>
    hasRight(me, page.right),
  )
  return CONSOLE_SECTIONS.map((section) => ({
    section,
    pages: open.filter(({ menu }) => menu.section === section),
  })).filter(({ pages }) => pages.length > 0)
}
