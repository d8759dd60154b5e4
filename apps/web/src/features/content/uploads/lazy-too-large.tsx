import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const dialog = lazyModule(() => import('./too-large.dialog.tsx'))

export const TooLargeDialog = lazyPart(dialog, (module) => module.TooLargeDialog)
