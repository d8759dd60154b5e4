import { Files } from 'lucide-react'
import type { Feature } from '../../../lib/feature.ts'
import { FILE_ACTIONS } from './file-actions.ts'
import { FilesPage } from './files.page.tsx'

export const feature: Feature = {
  pages: [{ path: '/personal', title: 'menu.personal', component: FilesPage, menu: 'personal' }],
  menu: [{ name: 'personal', icon: Files }],
  actions: FILE_ACTIONS,
}
