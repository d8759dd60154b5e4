import { routes } from '@godwit/contract/table'
import { HardDrive } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./storages-pages.ts'))
const StoragesPage = lazyPart(pages, (module) => module.StoragesPage)
const NewStoragePage = lazyPart(pages, (module) => module.NewStoragePage)
const EditStoragePage = lazyPart(pages, (module) => module.EditStoragePage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/storages',
      title: 'storages.title',
      component: StoragesPage,
      right: 'storages.view',
      menu: { section: 'storage', icon: HardDrive },
    },
    { path: '/admin/storages/new', title: 'storages.add', component: NewStoragePage, right: 'storages.edit' },
    { path: '/admin/storages/$storageId', title: 'storages.edit', component: EditStoragePage, right: 'storages.edit' },
  ],
  searches: [
    {
      label: 'storages.title',
      right: 'storages.view',
      async find(api, text, signal) {
        const { storages } = await api.call(routes.adminStorages.list, {}, { signal })
        const wanted = text.toLowerCase()
        return storages
          .filter(({ name, place }) => `${name} ${place}`.toLowerCase().includes(wanted))
          .map(({ id, name, place }) => ({
            id: `storage-${id}`,
            name,
            detail: place,
            to: '/admin/storages',
            search: { open: String(id) },
          }))
      },
    },
  ],
}
