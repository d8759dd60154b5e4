import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./notices.page.tsx'))

export const NoticesPage = lazyPart(page, (module) => module.NoticesPage)
