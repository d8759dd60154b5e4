import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const dialog = lazyModule(() => import('./conflict.dialog.tsx'))

export const ConflictDialog = lazyPart(dialog, (module) => module.ConflictDialog)
