import { Users } from 'lucide-react'
import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./groups-pages.ts'))
const GroupsPage = lazyPart(pages, (module) => module.GroupsPage)
const GroupPage = lazyPart(pages, (module) => module.GroupPage)

export const feature: Feature = {
  pages: [
    { path: '/group', title: 'menu.group', component: GroupsPage, menu: 'group' },
    { path: '/group/detail/$groupId', title: 'menu.group', component: GroupPage, menu: 'group' },
  ],
  menu: [{ name: 'group', icon: Users }],
  actions: [],
}
