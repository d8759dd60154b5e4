import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'

const dialog = lazyModule(() => import('./too-large.dialog.tsx'), 'uploads')

export const TooLargeDialog = lazyWindow(dialog, (module) => module.TooLargeDialog)
