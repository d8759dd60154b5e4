import { routes } from '@godwit/contract/table'
import { Download, Share2 } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./registers-pages.ts'))
const ShareRegister = lazyPart(pages, (module) => module.ShareRegister)
const InviteRegister = lazyPart(pages, (module) => module.InviteRegister)

const SEARCH_HITS = 10

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/links/share',
      title: 'registers.share.title',
      component: ShareRegister,
      right: 'links.view',
      menu: { section: 'links', icon: Share2 },
    },
    {
      path: '/admin/links/invite',
      title: 'registers.invite.title',
      component: InviteRegister,
      right: 'links.view',
      menu: { section: 'links', icon: Download },
    },
  ],
  searches: [
    {
      label: 'registers.share.title',
      right: 'links.view',
      async find(api, text, signal) {
        const query = { kind: 'share', text, size: SEARCH_HITS } as const
        const { rows } = await api.call(routes.adminLinks.list, { query }, { signal })
        return rows.map(({ id, names, owner }) => ({
          id: `link-${id}`,
          name: names[0] ?? '',
          detail: owner.account,
          to: '/admin/links/share',
          search: { text, open: id },
        }))
      },
    },
  ],
}
