import { FileKey2 } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./certificates.page.tsx'), 'papers')

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/certificates',
      title: 'certificates.title',
      component: lazyPart(page, (module) => module.CertificatesPage),
      right: 'certificates.edit',
      menu: { section: 'security', icon: FileKey2 },
    },
  ],
}
