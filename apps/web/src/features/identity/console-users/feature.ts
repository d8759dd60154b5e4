import { routes } from '@godwit/contract/table'
import { Users } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./users-pages.ts'))
const UsersPage = lazyPart(pages, (module) => module.UsersPage)
const NewUserPage = lazyPart(pages, (module) => module.NewUserPage)
const EditUserPage = lazyPart(pages, (module) => module.EditUserPage)
const ImportPage = lazyPart(
  lazyModule(() => import('./import/import.page.tsx')),
  (module) => module.ImportPage,
)

const RemovedUsersPage = lazyPart(
  lazyModule(() => import('./removed-users.page.tsx')),
  (module) => module.RemovedUsersPage,
)

const SEARCH_HITS = 10

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/users',
      title: 'users.title',
      component: UsersPage,
      right: 'users.view',
      menu: { section: 'people', icon: Users },
    },
    { path: '/admin/users/new', title: 'users.add.title', component: NewUserPage, right: 'users.edit' },
    { path: '/admin/users/import', title: 'users.import.title', component: ImportPage, right: 'users.import' },
    { path: '/admin/users/removed', title: 'removed-users.title', component: RemovedUsersPage, right: 'users.view' },
    { path: '/admin/users/$userId', title: 'users.edit.title', component: EditUserPage, right: 'users.edit' },
  ],
  searches: [
    {
      label: 'users.title',
      right: 'users.view',
      async find(api, text, signal) {
        const { rows } = await api.call(routes.adminUsers.list, { query: { text, size: SEARCH_HITS } }, { signal })
        return rows.map(({ id, account, name, email }) => ({
          id: `user-${id}`,
          name: account,
          detail: [name, email].filter((each) => each !== '').join(' · '),
          to: '/admin/users',
          search: { text: account, open: id },
        }))
      },
    },
  ],
}
