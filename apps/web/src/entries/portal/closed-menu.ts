import { MENU } from '@godwit/contract/foundation/menus'
import { ClipboardCheck, ClipboardList, ClipboardPen, Inbox, Send, ShieldAlert, Truck } from 'lucide-react'
import type { Feature, MenuItem, PageDef } from '../../lib/feature.ts'
import { DeniedPage } from './denied-page.tsx'

/** Entries of the menu whose pages this version does not have: they explain a limit of the edition, or that they are closed. */
const menu: readonly MenuItem[] = [
  { name: 'p2pSender', icon: Send },
  { name: 'p2pReceiver', icon: Inbox },
  { name: 'delivery', icon: Truck },
  { name: 'review', icon: ClipboardPen },
  { name: 'reviewPending', icon: ClipboardList },
  { name: 'reviewed', icon: ClipboardCheck },
  { name: 'quarantine', icon: ShieldAlert },
]

export const feature: Feature = {
  pages: [
    ...menu.map(({ name }): PageDef => ({
      path: MENU[name].path,
      title: `menu.${name}`,
      component: DeniedPage,
      menu: name,
    })),
  ],
  menu,
  actions: [],
}
