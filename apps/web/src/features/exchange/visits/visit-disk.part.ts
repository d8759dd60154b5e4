import { lazyModule } from '../../../lib/lazy.tsx'

/** What it takes to show files. */
export const diskPart = lazyModule(() => import('./visit-disk.tsx'))
