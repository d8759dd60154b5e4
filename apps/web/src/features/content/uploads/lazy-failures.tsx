import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'

const dialog = lazyModule(() => import('./failures.dialog.tsx'), 'uploads')

export const FailuresDialog = lazyWindow(dialog, (module) => module.FailuresDialog)
