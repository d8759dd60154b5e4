import { lazyModule } from '../../../lib/lazy.tsx'

/** What it takes to show files. */
export const loadDisk = () => import('./visit-disk.tsx')
export const diskPart = lazyModule(loadDisk)
