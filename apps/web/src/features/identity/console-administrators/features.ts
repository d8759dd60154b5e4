import { KeyRound, MonitorSmartphone, ShieldUser } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./administrator-pages.ts'))
const AdministratorsPage = lazyPart(pages, (module) => module.AdministratorsPage)
const RolesPage = lazyPart(pages, (module) => module.RolesPage)
const NewRolePage = lazyPart(pages, (module) => module.NewRolePage)
const EditRolePage = lazyPart(pages, (module) => module.EditRolePage)
const SessionsPage = lazyPart(pages, (module) => module.SessionsPage)

export const features: readonly ConsoleFeature[] = [
  {
    pages: [
      {
        path: '/admin/administrators',
        title: 'administrators.title',
        component: AdministratorsPage,
        right: 'roles.edit',
        menu: { section: 'people', icon: ShieldUser },
      },
      {
        path: '/admin/roles',
        title: 'roles.title',
        component: RolesPage,
        right: 'roles.edit',
        menu: { section: 'people', icon: KeyRound },
      },
      { path: '/admin/roles/new', title: 'roles.add', component: NewRolePage, right: 'roles.edit' },
      { path: '/admin/roles/$roleId', title: 'roles.edit', component: EditRolePage, right: 'roles.edit' },
      {
        path: '/admin/sessions',
        title: 'console-sessions.title',
        component: SessionsPage,
        right: 'sessions.view',
        menu: { section: 'people', icon: MonitorSmartphone },
      },
    ],
  },
]
