import { LIMITS } from '@godwit/contract/limits'
import { routes } from '@godwit/contract/table'
import { UsersRound } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./groups-pages.ts'))
const GroupsPage = lazyPart(pages, (module) => module.GroupsPage)
const GroupTransferPage = lazyPart(pages, (module) => module.GroupTransferPage)
const MembersPage = lazyPart(pages, (module) => module.MembersPage)

const SEARCH_HITS = 10

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/groups',
      title: 'console-groups.title',
      component: GroupsPage,
      right: 'groups.view',
      feature: 'groupSpaces',
      menu: { section: 'people', icon: UsersRound },
    },
    {
      path: '/admin/groups/$groupId',
      title: 'console-groups.members',
      component: MembersPage,
      right: 'groups.view',
      feature: 'groupSpaces',
    },
    {
      path: '/admin/groups/$groupId/transfers',
      title: 'console-groups.transfer',
      component: GroupTransferPage,
      right: 'groups.edit',
      feature: 'groupSpaces',
    },
  ],
  searches: [
    {
      label: 'console-groups.title',
      right: 'groups.view',
      async find(api, text, signal) {
        const { rows } = await api.call(routes.adminGroups.list, { query: { text, size: SEARCH_HITS } }, { signal })
        return rows.map(({ id, name, space }) => ({
          id: `group-${id}`,
          name,
          // Most are in the default space, whose name no page needs to say.
          ...(space.id === LIMITS.defaultSpaceId ? {} : { detail: space.name }),
          to: `/admin/groups/${id}`,
        }))
      },
    },
  ],
}
