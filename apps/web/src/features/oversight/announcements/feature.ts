import { Megaphone } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./announcement-pages.ts'), 'announcements')

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/notices',
      title: 'announcements.title',
      component: lazyPart(pages, (module) => module.AnnouncementsPage),
      right: 'notices.send',
      menu: { section: 'notices', icon: Megaphone },
    },
    {
      path: '/admin/notices/new',
      title: 'announcements.new',
      component: lazyPart(pages, (module) => module.NewAnnouncementPage),
      right: 'notices.send',
    },
    {
      path: '/admin/notices/types',
      title: 'announcements.types',
      component: lazyPart(pages, (module) => module.NoticeTypesPage),
      right: 'notices.send',
    },
    {
      path: '/admin/notices/$noticeId',
      title: 'announcements.edit',
      component: lazyPart(pages, (module) => module.EditAnnouncementPage),
      right: 'notices.send',
    },
  ],
}
