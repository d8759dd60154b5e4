import { routes } from '@godwit/contract/table'
import { Boxes } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./spaces-pages.ts'))
const SpacesPage = lazyPart(pages, (module) => module.SpacesPage)
const SpaceMembersPage = lazyPart(pages, (module) => module.SpaceMembersPage)
const SpaceMovePage = lazyPart(pages, (module) => module.SpaceMovePage)
const SpaceRulesPage = lazyPart(pages, (module) => module.SpaceRulesPage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/spaces',
      title: 'console-spaces.title',
      component: SpacesPage,
      right: 'spaces.view',
      menu: { section: 'storage', icon: Boxes },
    },
    {
      path: '/admin/spaces/$spaceId',
      title: 'console-spaces.members',
      component: SpaceMembersPage,
      right: 'spaces.view',
    },
    {
      path: '/admin/spaces/$spaceId/rules',
      title: 'console-spaces.rules',
      component: SpaceRulesPage,
      right: 'spaces.edit',
    },
    {
      path: '/admin/spaces/$spaceId/move',
      title: 'console-spaces.move',
      component: SpaceMovePage,
      right: 'storages.edit',
    },
  ],
  searches: [
    {
      label: 'console-spaces.title',
      right: 'spaces.view',
      async find(api, text, signal) {
        const { spaces } = await api.call(routes.adminSpaces.list, {}, { signal })
        return spaces
          .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
          .map(({ id, name }) => ({ id: `space-${id}`, name, to: `/admin/spaces/${id}` }))
      },
    },
  ],
}
