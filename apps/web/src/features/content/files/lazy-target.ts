import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'

const dialog = lazyModule(() => import('./target.dialog.tsx'))

/** For pages of other features; no first page needs its code. */
export const TargetDialog = lazyWindow(dialog, (module) => module.TargetDialog)
